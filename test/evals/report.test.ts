import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { questionsPage } from "../../docs/questions.ts";
import { askAll } from "../../evals/ask.ts";
import { openDemo } from "../../evals/books/demo.ts";
import { figuresIn, namesAmount, sumsAcrossCurrencies } from "../../evals/model/figures.ts";
import { markdownReport, type StoredRun } from "../../evals/model/report.ts";
import { isUsual } from "../../evals/play.ts";
import { QUESTIONS } from "../../evals/questions/index.ts";
import { CLASSES } from "../../evals/questions/question.ts";
import { passes, questionsReport } from "../../evals/questions-report.ts";
import { money } from "../../src/core/kernel/money.ts";
import { copyDemo, DEMO_KEY } from "../support/stores.ts";

const KNOWN = new Set(["EUR", "USD", "JPY"]);
const names = (text: string, currency: string, amount: string): boolean =>
  namesAmount(figuresIn(text, KNOWN), { currency, amount: money(amount) });

it.each([
  ["EUR 1,234.50", true],
  ["1.234,50 €", true],
  ["€1234.5", true],
  ["Overdue in EUR:\n- 1 234.50".replace("1 2", "1\u00A02"), true],
  ["| EUR | 1'234.50 |", true],
  ["USD 1,234.50", false],
  ["EUR 1,234.05", false],
  ["EUR 12,345.00", false],
  ["1234.50", false],
  ["USD 5.00 and EUR 1,234.50", true],
  ["EUR 5.00 and USD 1,234.50", false],
])("finds 1234.5 EUR in %j: %s", (text, found) => {
  expect(names(text, "EUR", "1234.5")).toBe(found);
});

it("adds up what must not be added: each column over its currencies, unless one is all there is", () => {
  expect(
    sumsAcrossCurrencies([
      ["EUR 1.5", "EUR 1"],
      ["USD 2", "USD 0"],
    ]),
  ).toEqual(["3.5"]);
  expect(sumsAcrossCurrencies([["EUR 1"], ["EUR 2"]])).toEqual([]);
});

const score = (id: string, named: number): StoredRun["scores"][number] => ({
  id,
  class: "sum",
  named,
  wanted: 2,
  mixedSums: [],
  unaskedWrites: [],
  calls: 1,
  malformed: 0,
  tokens: 100,
  problem: null,
});
const run = (model: string, scores: StoredRun["scores"]): StoredRun => ({
  model,
  endpoint: "http://x",
  at: "today",
  scores,
});

it("shows a run by class, with what went wrong and what an earlier run did better", () => {
  const earlier = run("old", [score("sum-owed", 2), score("sum-overdue", 1), score("sum-over-90", 2)]);
  const later = run("new", [score("sum-owed", 1), score("sum-overdue", 2)]);
  const evaluated = later.scores.map((one) => ({
    text: `Question of ${one.id}`,
    score: one,
    conversation: {
      answer: "An answer\nof two lines",
      calls: [{ tool: "summarize_aging", args: "{}", code: "validation_failed" }],
      tokens: 100,
      problem: null,
    },
  }));
  const report = markdownReport(later, evaluated, earlier);
  expect(report).toContain("1 of 2 questions are answered right");
  expect(report).toContain("| sum | 2 | 1 | 3 of 4 | 0 | 0 | 0 | 2 | 200 |");
  expect(report).toContain("Right now, and not before: sum-overdue.");
  expect(report).toContain("Right before, and not now: sum-owed.");
  expect(report).toContain("Question of sum-owed");
  expect(report).not.toContain("Question of sum-overdue");
  expect(report).toContain("    summarize_aging {} → validation_failed");
  expect(report).toContain("> An answer\n> of two lines");
});

it("says how it is used, and what was wrong with how it was", async () => {
  const evals = (...args: string[]) =>
    promisify(execFile)(process.execPath, ["evals/run-evals.ts", ...args], {
      cwd: resolve(import.meta.dirname, "../.."),
    });
  expect((await evals("--help")).stdout).toContain("EVALS_API_KEY");
  await expect(evals("--model", "m")).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("--endpoint") });
  await expect(evals("--endpoint", "http://x", "--model", "m", "--questions", "no-such")).rejects.toMatchObject({
    stderr: expect.stringContaining("no question no-such"),
  });
});

it("docs/questions.md is what `node docs/questions.ts` writes", () => {
  expect(readFileSync(join(import.meta.dirname, "../../docs/questions.md"), "utf8")).toBe(questionsPage());
});

it("asks 160 questions of ten classes, each under a name of its own", () => {
  expect(QUESTIONS).toHaveLength(160);
  expect(new Set(QUESTIONS.map(({ id }) => id)).size).toBe(160);
  expect(new Set(QUESTIONS.map((question) => question.class))).toEqual(new Set(CLASSES));
  for (const question of QUESTIONS) expect(question.id.startsWith(`${question.class}-`), question.id).toBe(true);
});

it("answers every question on the demo to the cent, in few calls and tokens", async () => {
  const dataDir = await copyDemo();
  const book = await openDemo(dataDir, () => rmSync(dataDir, { recursive: true, force: true }), {
    ENCRYPTION_KEY: DEMO_KEY,
  });
  try {
    const played = await askAll(book, QUESTIONS);
    const report = questionsReport("demo", played);
    expect(passes(played) && played.every(isUsual), report).toBe(true);
    const average = (figure: "calls" | "tokens"): number =>
      played.reduce((sum, one) => sum + one[figure], 0) / played.length;
    expect(average("calls"), report).toBeLessThanOrEqual(2);
    expect(average("tokens"), report).toBeLessThanOrEqual(1_000);
  } finally {
    await book.close();
  }
});
