import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { questionsPage } from "../../docs/questions.ts";
import { askAll } from "../../evals/ask.ts";
import { openDemo } from "../../evals/books/demo.ts";
import { isUsual } from "../../evals/play.ts";
import { QUESTIONS } from "../../evals/questions/index.ts";
import { CLASSES } from "../../evals/questions/question.ts";
import { passes, questionsReport } from "../../evals/questions-report.ts";
import { copyDemo, DEMO_KEY } from "../support/stores.ts";

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
