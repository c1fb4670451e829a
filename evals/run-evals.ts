/** `npm run evals -- --endpoint URL --model NAME …`: a model answers the questions over MCP, and is scored (see HELP). */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { markdownReport, StoredRun } from "./model/report.ts";
import { isGood } from "./model/score.ts";
import { QUESTIONS } from "./questions/index.ts";

const HELP = `npm run evals -- --endpoint URL --model NAME [options]

Has a model answer the questions of docs/questions.md on the demo, with the server's tools over MCP, and scores it.

  --endpoint URL    OpenAI-compatible, up to /chat/completions: https://models.example/v1
  --model NAME      as the endpoint calls it
  --questions IDS   some questions only, with commas between
  --out FILE        writes FILE.md, to read, and FILE.json, to compare with; without it the report is printed
  --compare FILE    the JSON file of an earlier run
  --timeout SECONDS for one answer of the model; 120 if left out
  --help

The endpoint's key is read from EVALS_API_KEY in the environment, and sent as bearer token.
An endpoint that answers 429 or 5xx, or not in time, is asked again three times. A question ends after 20 calls.
`;

const { values } = parseArgs({
  options: {
    endpoint: { type: "string" },
    model: { type: "string" },
    questions: { type: "string" },
    out: { type: "string" },
    compare: { type: "string" },
    timeout: { type: "string", default: "120" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const { endpoint: url, model } = values;
if (url === undefined || model === undefined) fail("--endpoint and --model are needed; --help says more");
const seconds = Number(values.timeout);
if (!(seconds > 0)) fail(`--timeout: must be a number of seconds, not ${values.timeout}`);
const ids = values.questions?.split(",") ?? null;
const unknown = ids?.filter((id) => !QUESTIONS.some((question) => question.id === id)) ?? [];
if (unknown.length > 0) fail(`no question ${unknown.join(", ")}; docs/questions.md lists them`);
const earlier = values.compare === undefined ? null : readRun(values.compare);

const endpoint = {
  url,
  model,
  key: process.env.EVALS_API_KEY ?? null,
  timeoutMs: seconds * 1_000,
  retryDelaysMs: [1_000, 5_000, 20_000],
};
// Loaded once the arguments are in order: they take seconds.
const [{ openNewDemo }, { evaluate }] = await Promise.all([import("./books/demo.ts"), import("./model/evaluate.ts")]);
const book = await openNewDemo();
if (book === null) throw new Error("the demo was not made");
try {
  const asked = QUESTIONS.filter(({ id }) => ids === null || ids.includes(id));
  const evaluated = await evaluate(book, asked, endpoint, ({ score }) => {
    process.stderr.write(`${isGood(score) ? "right" : "WRONG"}  ${score.id}\n`);
  });
  const scores = evaluated.map(({ score }) => ({
    ...score,
    mixedSums: [...score.mixedSums],
    unaskedWrites: [...score.unaskedWrites],
  }));
  const run: StoredRun = { model, endpoint: url, at: new Date().toISOString(), scores };
  const report = markdownReport(run, evaluated, earlier);
  if (values.out === undefined) process.stdout.write(report);
  else {
    writeFileSync(`${values.out}.md`, report);
    writeFileSync(`${values.out}.json`, `${JSON.stringify(run, null, 2)}\n`);
  }
} finally {
  await book.close();
}

function readRun(file: string): StoredRun {
  const { data } = StoredRun.safeParse(JSON.parse(readFileSync(file, "utf8")));
  return data ?? fail(`--compare: ${file} is not the JSON file of a run`);
}

function fail(text: string): never {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
