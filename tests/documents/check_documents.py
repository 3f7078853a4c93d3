"""Reads the documents and workbooks of a run with other programs, and fails if anything in them is not as in the tables.

    python tests/documents/check_documents.py reports/demo [--plymap target/debug/plymap --study data/demo/study.toml]

The codebook: every table and column of codebook.json, in codebook.html and in the one sheet of codebook.xlsx. The report for
Word: title, headings, tables with three lines and a repeated head, alternative texts, no date. With a program and a study also
the files of `stats`, `label` and `figures`, cell by cell against the CSV. What needs python-docx, openpyxl or LibreOffice is left
out where they are not installed, and says so.
"""

import argparse
import csv
import importlib.util
import json
import pathlib
import shutil
import subprocess
import tempfile
import zipfile

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("run", type=pathlib.Path)
parser.add_argument("--plymap", type=pathlib.Path)
parser.add_argument("--study", type=pathlib.Path)
given = parser.parse_args()
W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
n_checked, faults = 0, []


def check(holds, what):
    global n_checked
    n_checked += 1
    if not holds:
        faults.append(what)


def has(package):
    if importlib.util.find_spec(package):
        return True
    print(f"SKIPPED: what is read with {package}, for it is not installed")
    return False


def same(cell, text):
    """A cell of a workbook and that of the CSV file."""
    if cell is None:
        return text == ""
    if isinstance(cell, bool):
        return text == str(cell).lower()
    if isinstance(cell, (int, float)):
        return float(text) == cell
    return text == cell


def check_sheet(sheet, file):
    with open(file, newline="", encoding="utf-8") as lines:
        expected = list(csv.reader(lines))
    rows = list(sheet.iter_rows(values_only=True))
    check(len(rows) == len(expected), f"{sheet.title}: {len(rows)} rows of {len(expected)}")
    width = len(expected[0])
    differ = [
        (n, column)
        for n, (row, line) in enumerate(zip(rows, expected))
        for column in range(width)
        if not same(row[column] if column < len(row) else None, line[column])
    ]
    check(not differ, f"{sheet.title}: cells differ from the CSV, first {differ[:3]}")
    check(sheet.freeze_panes == "A2", f"{sheet.title}: the head does not stay")


def check_codebook(run):
    codebook = json.loads((run / "codebook.json").read_text(encoding="utf-8"))
    tables = codebook["tables"]
    columns = [(table["name"], column["name"], column["meaning"]) for table in tables for column in table["columns"]]
    page = (run / "codebook.html").read_text(encoding="utf-8")
    check(page.count("<section id=") == len(tables), "codebook.html: a section for each table")
    check(page.count("<tr><th scope=\"row\">") == len(columns), "codebook.html: a row for each column")
    for table in tables:
        for file in table["files"]:
            check((run / file["path"]).is_file(), f"{file['path']} of the codebook is not there")
    left = [path.name for folder in ("tables", "distances") for path in (run / folder).glob("*.json")]
    check(not left, f"files of single tables: {left[:3]}")
    if has("openpyxl"):
        import openpyxl

        sheet = openpyxl.load_workbook(run / "codebook.xlsx").active
        rows = [row[:2] + (row[3],) for row in sheet.iter_rows(min_row=2, values_only=True)]
        check(rows == columns, "codebook.xlsx: columns and meanings are those of codebook.json")
    return len(columns)


def check_report(run):
    if not has("docx"):
        return
    import docx

    document = docx.Document(run / "report.docx")
    headings = [p.text for p in document.paragraphs if p.style.name == "Heading 1"]
    for heading in ("Answers", "Methods", "Data", "References", "How to reproduce"):
        check(heading in headings, f"report.docx: no heading {heading!r}")
    check(document.paragraphs[0].style.name == "Title" and document.core_properties.title in document.paragraphs[0].text, "report.docx: its title")
    check(document.core_properties.created is None and document.core_properties.last_modified_by == "", "report.docx: a date or a user")
    check(len(document.inline_shapes) > 3, f"report.docx: {len(document.inline_shapes)} figures")
    descriptions = [shape._inline.docPr.get("descr") for shape in document.inline_shapes]
    check(all(descriptions), "report.docx: a figure without an alternative text")
    check(len(document.tables) > 3, f"report.docx: {len(document.tables)} tables")
    for table in document.tables:
        name = table.rows[0].cells[0].text
        check(len(list(table._tbl.iter(f"{W}tblHeader"))) == 1, f"report.docx: the head of the table {name!r} is not repeated")
        check(table.style.name == "APA Table", f"report.docx: {table.style.name}")
    symbols = {run.text for p in document.paragraphs for run in p.runs if run.italic}
    check("p" in symbols and "Note." in symbols, f"report.docx: italic are {sorted(symbols)[:8]}")
    with zipfile.ZipFile(run / "report.docx") as package:
        check({info.date_time for info in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}, "report.docx: times in the package")


def check_with_libreoffice(folder, names):
    office = shutil.which("soffice") or shutil.which("libreoffice")
    if not office:
        print("SKIPPED: what is opened with LibreOffice, for it is not installed")
        return
    for name in names:
        with tempfile.TemporaryDirectory() as out:
            command = [office, f"-env:UserInstallation=file://{out}/profile", "--headless", "--convert-to", "pdf", "--outdir", out, str(folder / name)]
            subprocess.run(command, capture_output=True, check=False, timeout=300)
            made = pathlib.Path(out) / pathlib.Path(name).with_suffix(".pdf").name
            check(made.is_file() and made.stat().st_size > 5_000, f"{name}: LibreOffice makes no pages of it")


def check_commands(plymap, study):
    def run(*words):
        done = subprocess.run([plymap, *map(str, words)], capture_output=True, check=False)
        check(done.returncode == 0, f"{words}: {done.stderr.decode()[-300:]}")
        return done.stdout

    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        for name in ("correlations", "trials"):
            for ending in ("csv", "xlsx", "docx"):
                run("stats", study, "--table", name, "--out", out / f"{name}.{ending}")
        for ending in ("csv", "xlsx"):
            run("label", study, "--out", out / f"moves.{ending}")
        run("figures", study, "--only", "moves-against-time", "--format", "svg,docx,xlsx", "--out", out / "figures")
        piped = run("stats", study, "--table", "correlations", "--format", "xlsx")
        check(piped == (out / "correlations.xlsx").read_bytes(), "stats --format xlsx is not what --out writes")
        if has("openpyxl"):
            import openpyxl

            for name in ("correlations", "trials", "moves"):
                book = openpyxl.load_workbook(out / f"{name}.xlsx")
                check(book.sheetnames == ["codebook", name], f"{name}.xlsx: sheets {book.sheetnames}")
                check_sheet(book[name], out / f"{name}.csv")
            book = openpyxl.load_workbook(out / "figures/figures.xlsx")
            check(book.sheetnames[0] == "figures", f"figures.xlsx: sheets {book.sheetnames}")
            for sheet in book.worksheets[1:]:
                with open(out / f"figures/{sheet.title}.csv", encoding="utf-8") as lines:
                    check(sheet.max_row == sum(1 for _ in csv.reader(lines)), f"figures.xlsx: rows of {sheet.title}")
        if has("docx"):
            import docx

            table = docx.Document(out / "correlations.docx").tables[0]
            with open(out / "correlations.csv", encoding="utf-8") as lines:
                n_rows = sum(1 for _ in csv.reader(lines))
            check(len(table.rows) == n_rows, f"correlations.docx: {len(table.rows)} rows of {n_rows}")
            check(len(docx.Document(out / "figures/figures.docx").inline_shapes) > 0, "figures.docx: no figure")
        check_with_libreoffice(out, ["correlations.docx", "trials.xlsx", "figures/figures.docx"])


n_columns = check_codebook(given.run)
check_report(given.run)
check_with_libreoffice(given.run, ["report.docx", "codebook.xlsx"])
if given.plymap and given.study:
    check_commands(given.plymap.resolve(), given.study)
for fault in faults:
    print(f"FAULT {fault}")
print(f"{n_checked} checks of {n_columns} columns, {len(faults)} faults")
raise SystemExit(1 if faults else 0)
