/**
 * `npm run questions -- [--book demo|large] [--store embedded|postgresql] [ID …]`: plays the questions' reference calls and
 * compares with plain SQL. Without a store, the demo is on the embedded one, and the large book on PostgreSQL.
 */
import { parseArgs } from "node:util";
import { askAll } from "./ask.ts";
import type { Book } from "./books/book.ts";
import { openNewDemo } from "./books/demo.ts";
import { openLarge } from "./books/large.ts";
import { PLACES, type PlaceName } from "./books/place.ts";
import { QUESTIONS } from "./questions/index.ts";
import { passes, questionsReport } from "./questions-report.ts";

const BOOKS: Readonly<Record<string, (store?: PlaceName) => Promise<Book | null>>> = {
  demo: openNewDemo,
  large: openLarge,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    book: { type: "string", multiple: true, default: Object.keys(BOOKS) },
    store: { type: "string", multiple: true },
  },
});
const unknown = positionals.filter((id) => !QUESTIONS.some((question) => question.id === id));
if (unknown.length > 0) fail(`no question ${unknown.join(", ")}`);
const asked = QUESTIONS.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
const stores = values.store?.map(
  (name) => placeNamed(name) ?? fail(`no store ${name}; there are: ${Object.keys(PLACES).join(", ")}`),
);
for (const name of values.book) {
  const open = BOOKS[name] ?? fail(`no book ${name}; there are: ${Object.keys(BOOKS).join(", ")}`);
  for (const store of stores ?? [undefined]) await playOn(open, store);
}

async function playOn(open: NonNullable<(typeof BOOKS)[string]>, store: PlaceName | undefined): Promise<void> {
  const book = await open(store);
  if (book === null) return;
  try {
    const played = await askAll(book, asked);
    process.stdout.write(`${questionsReport(book.name, played)}\n\n`);
    if (!passes(played)) process.exitCode = 1;
  } finally {
    await book.close();
  }
}

function placeNamed(name: string): PlaceName | undefined {
  return name === "embedded" || name === "postgresql" ? name : undefined;
}

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
