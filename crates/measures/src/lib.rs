#![doc = include_str!("../README.md")]

pub mod doctor;
pub mod label;
pub mod level_remarks;
pub mod level_tables;
pub mod measure;
pub mod selection;
pub mod testing;
