/** Figures that files have under the words of the pages. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  "Not overdue": "current",
  "1–30 days": "days_1_30",
  "31–60 days": "days_31_60",
  "61–90 days": "days_61_90",
  "Over 90 days": "over_90",
  "Past habit": "past_expected",
  Collected: "amount_collected",
  "Without a link": "available_amount",
  "A link can be made for": "available_amount",
};

/** The name that a column of a list's file has in the API. */
export const fieldOfHead = (head: string): string =>
  OWN_WORDS[head] ??
  head
    .replace(/ \(.*\)$/, "")
    .replaceAll(" ", "_")
    .toLowerCase();

/** Reads a list's file, whose columns have the names of the API here: `paid_at` for "Paid at (Europe/Berlin)". */
export function readListFile(text: string): { heads: string[]; names: string[]; rows: Record<string, string>[] } {
  const { names: heads, rows } = readCsv(text.replace(/^\uFEFF/, ""));
  const byName = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([head, cell]) => [fieldOfHead(head), cell])),
  );
  return { heads, names: heads.map(fieldOfHead), rows: byName };
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
