/** `npm run questions -- [--book demo|large] [ID …]`: plays the questions' reference calls and compares with plain SQL. */
import { parseArgs } from "node:util";
import { askAll } from "./ask.ts";
import type { Book } from "./books/book.ts";
import { openNewDemo } from "./books/demo.ts";
import { openLarge } from "./books/large.ts";
import { QUESTIONS } from "./questions/index.ts";
import { passes, questionsReport } from "./questions-report.ts";

const BOOKS: Readonly<Record<string, () => Promise<Book | null>>> = { demo: openNewDemo, large: openLarge };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { book: { type: "string", multiple: true, default: Object.keys(BOOKS) } },
});
const unknown = positionals.filter((id) => !QUESTIONS.some((question) => question.id === id));
if (unknown.length > 0) fail(`no question ${unknown.join(", ")}`);
const asked = QUESTIONS.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
for (const name of values.book) {
  const book = await (BOOKS[name] ?? fail(`no book ${name}; there are: ${Object.keys(BOOKS).join(", ")}`))();
  if (book === null) continue;
  try {
    const played = await askAll(book, asked);
    process.stdout.write(`${questionsReport(book.name, played)}\n\n`);
    if (!passes(played)) process.exitCode = 1;
  } finally {
    await book.close();
  }
}

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
