import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { readCsv } from "./csv.ts";

/** A cell in the file: its type (`n` for numbers), its number format, and its text. */
export interface StoredCell {
  type: string;
  format: string;
  text: string;
}

/** Reads the only sheet of a workbook: its head, and the cells of each row by the column's name there. */
export function readWorkbook(file: Uint8Array): { heads: string[]; rows: Record<string, StoredCell>[]; xml: string } {
  const parts = unzip(Buffer.from(file));
  const [styles = "", xml = ""] = [parts.get("xl/styles.xml"), parts.get("xl/worksheets/sheet1.xml")];
  const codes = new Map(
    [...styles.matchAll(/numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, code]),
  );
  const formats = [...(styles.split("<cellXfs")[1] ?? "").matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id]) =>
    codes.get(id),
  );
  const all = [...xml.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<c r="([A-Z]+)\d+"(?: t="(\w+)")?(?: s="(\d+)")?>(.*?)<\/c>/gs)].map(
      ([, column = "", type = "n", style = "0", content = ""]) => {
        const cell = { type, format: formats[Number(style)] ?? "", text: plain(content.replace(/<[^>]*>/g, "")) };
        return [column, cell] as const;
      },
    ),
  );
  const [head = [], ...rows] = all;
  const names = new Map(head.map(([column, { text }]) => [column, text]));
  const byName = rows.map((row) => Object.fromEntries(row.map(([column, cell]) => [names.get(column) ?? "", cell])));
  return { heads: [...names.values()], rows: byName, xml };
}

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/** A text as a spreadsheet shows it, which reads `_x0041_` as an A. */
function plain(xml: string): string {
  const text = xml.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
  return text.replace(/_x([\dA-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The parts of a zip file by their names, as its directory has them. */
function unzip(file: Buffer): Map<string, string> {
  const end = file.lastIndexOf(Buffer.from("PK\x05\x06"));
  const parts = new Map<string, string>();
  for (let at = file.readUInt32LE(end + 16), left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, nameLength, start] = [
      file.readUInt32LE(at + 20),
      file.readUInt16LE(at + 28),
      file.readUInt32LE(at + 42),
    ];
    const further = file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
    const name = file.toString("utf8", at + 46, at + 46 + nameLength);
    const data = start + 30 + file.readUInt16LE(start + 26) + file.readUInt16LE(start + 28);
    parts.set(name, inflateRawSync(file.subarray(data, data + size)).toString("utf8"));
    at += 46 + nameLength + further;
  }
  return parts;
}

/** A workbook as Gnumeric reads it. */
export function openedBySpreadsheet(file: Uint8Array): ReturnType<typeof readCsv> {
  const folder = mkdtempSync(join(tmpdir(), "workbook-"));
  try {
    const [from, to] = [join(folder, "list.xlsx"), join(folder, "list.txt")];
    writeFileSync(from, file);
    const options = ["--export-type=Gnumeric_stf:stf_assistant", "-O", "eol=windows quoting-mode=auto"];
    const said = execFileSync("ssconvert", [...options, from, to], { encoding: "utf8", stdio: "pipe" });
    if (said !== "") throw new Error(said);
    return readCsv(readFileSync(to, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
