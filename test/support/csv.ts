/** Reads a list's file, whose columns have the names of the API here: `paid_at` for "Paid at (Europe/Berlin)". */
export function readListFile(text: string): { heads: string[]; names: string[]; rows: Record<string, string>[] } {
  const { names: heads, rows } = readCsv(text.replace(/^\uFEFF/, ""));
  const named = (head: string): string =>
    head
      .replace(/ \(.*\)$/, "")
      .replaceAll(" ", "_")
      .toLowerCase();
  const byName = rows.map((row) => Object.fromEntries(Object.entries(row).map(([head, cell]) => [named(head), cell])));
  return { heads, names: heads.map(named), rows: byName };
}

/** Reads a file of RFC 4180: its header, and each row by the names of its columns. */
export function readCsv(text: string): { names: string[]; rows: Record<string, string>[] } {
  const lines: string[][] = [[]];
  let [cell, isQuoted] = ["", false];
  const end = (): void => {
    lines.at(-1)?.push(cell);
    cell = "";
  };
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (isQuoted && character === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === ",") end();
    else if (!isQuoted && character === "\r" && text[at + 1] === "\n") {
      end();
      lines.push([]);
      at += 1;
    } else cell += character;
  }
  const [names = [], ...rows] = lines.slice(0, -1);
  return { names, rows: rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ""]))) };
}
