#!/usr/bin/env bash
# In a workbook that counts days from 1904 SheetJS has two dates for one cell: its text is right, its value is four years and a day
# too early, and so is the workbook that it writes.
#
# Versions: xlsx 0.18.5, exceljs 4.4.0, read-excel-file 9.3.17 (npm).
# Input:    a cell with 2026-05-01 10:30 in a workbook with the date system of 1904 (an option of Excel, once that of every Mac,
#           which copies of old files carry on), and in one of 1900. Read by each, with cellDates in SheetJS, and written again.
# Guess:    the workbook says which system it has (date1904), so that each package reads the same moment.
# Seen:     1900: all have it. 1904: exceljs and read-excel-file have it. In SheetJS the text of the cell, and sheet_to_json with
#           raw: false, say 2026-05-01 10:30, and its Date is 2022-04-30 10:30. What it writes again with
#           writeFile has 2022-04-30 for exceljs.
# So:       look at Workbook.WBProps.date1904 before a date is used, and add 1462 days where it is true. Differences between two
#           dates of one workbook are right, ages and joins with other files are not.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --loglevel=error --no-audit --no-fund --no-package-lock --prefix "$folder" xlsx@0.18.5 exceljs@4.4.0 \
    read-excel-file@9.3.17 >install.log 2>&1 || { cat install.log; exit 1; }
cat >dates.mjs <<'JAVASCRIPT'
import assert from "node:assert";
import ExcelJS from "exceljs";
import readExcelFile from "read-excel-file/node";
import XLSX from "xlsx";

const start = "2026-05-01T10:30:00.000Z";
const early = "2022-04-30T10:30:00.000Z";

async function byExcelJS(file) {
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(file);
  return workbook.worksheets[0].getCell("A1").value.toISOString();
}

for (const date1904 of [false, true]) {
  const workbook = new ExcelJS.Workbook();
  workbook.properties.date1904 = date1904;
  const cell = workbook.addWorksheet("people").getCell("A1");
  cell.value = new Date(start);
  cell.numFmt = "yyyy-mm-dd hh:mm";
  await workbook.xlsx.writeFile("people.xlsx");

  const book = XLSX.readFile("people.xlsx", { cellDates: true });
  XLSX.writeFile(book, "again.xlsx");
  const found = {
    exceljs: await byExcelJS("people.xlsx"),
    "read-excel-file": (await readExcelFile("people.xlsx"))[0].data[0][0].toISOString(),
    "SheetJS, value": book.Sheets.people.A1.v.toISOString(),
    "SheetJS, text": book.Sheets.people.A1.w,
    "SheetJS, as rows": XLSX.utils.sheet_to_json(book.Sheets.people, { header: 1, raw: false })[0][0],
    "written again": await byExcelJS("again.xlsx"),
  };
  console.log(`days from ${date1904 ? 1904 : 1900}, date1904 ${book.Workbook.WBProps.date1904}:`);
  for (const [name, value] of Object.entries(found)) console.log(`  ${name}: ${value}`);
  const value = date1904 ? early : start;
  assert.deepStrictEqual(Object.values(found), [start, start, value, "2026-05-01 10:30", "2026-05-01 10:30", value],
    "it behaves otherwise now");
  assert(book.Workbook.WBProps.date1904 === date1904);
}
JAVASCRIPT
node dates.mjs
