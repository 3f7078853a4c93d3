//! Documents and workbooks as other programs read them.

mod docx;
mod xlsx;
