import { z } from "zod";
import { CLASSES } from "../questions/question.ts";
import type { Evaluated } from "./evaluate.ts";
import { isGood, type Score } from "./score.ts";

const StoredScore = z.object({
  id: z.string(),
  class: z.string(),
  named: z.number(),
  wanted: z.number(),
  mixedSums: z.array(z.string()),
  unaskedWrites: z.array(z.string()),
  calls: z.number(),
  malformed: z.number(),
  tokens: z.number(),
  problem: z.string().nullable(),
});

/** A stored run, to compare a later one with. */
export const StoredRun = z.object({
  model: z.string(),
  endpoint: z.string(),
  at: z.string(),
  scores: z.array(StoredScore),
});
export type StoredRun = z.output<typeof StoredRun>;

/** A run for people, in Markdown: figures by class, each question that went wrong, and what an earlier run did better. */
export function markdownReport(run: StoredRun, evaluated: readonly Evaluated[], earlier: StoredRun | null): string {
  const { scores } = run;
  const classes = CLASSES.filter((name) => scores.some((score) => score.class === name));
  return `${[
    `# ${run.model}, ${run.at}`,
    `Asked at ${run.endpoint}. ${scores.filter(isGood).length} of ${scores.length} questions are answered right.`,
    table(
      [
        "class",
        "questions",
        "right",
        "claims named",
        "sums of currencies",
        "unasked writes",
        "malformed calls",
        "calls",
        "tokens",
      ],
      [
        ...classes.map((name) =>
          row(
            name,
            scores.filter((score) => score.class === name),
          ),
        ),
        row("all", scores),
      ],
    ),
    ...(earlier === null ? [] : ["## Beside the earlier run", comparison(run, earlier)]),
    "## What went wrong",
    ...evaluated.filter(({ score }) => !isGood(score)).map(wrongAnswer),
  ].join("\n\n")}\n`;
}

/** What of two runs is different, in Markdown; only questions that both have are compared. */
export function comparison(run: StoredRun, earlier: StoredRun): string {
  const before = new Map(earlier.scores.map((score) => [score.id, score]));
  const both = run.scores.flatMap((score) => {
    const old = before.get(score.id);
    return old === undefined ? [] : [{ score, old }];
  });
  const ids = (some: readonly { score: Score }[]): string =>
    some.map(({ score }) => score.id).join(", ") || "no question";
  const olds = both.map(({ old }) => old);
  const news = both.map(({ score }) => score);
  return [
    table(
      [
        "run",
        "questions",
        "right",
        "claims named",
        "sums of currencies",
        "unasked writes",
        "malformed calls",
        "calls",
        "tokens",
      ],
      [row(`${earlier.model}, ${earlier.at}`, olds), row(`${run.model}, ${run.at}`, news)],
    ),
    `Right now, and not before: ${ids(both.filter(({ score, old }) => isGood(score) && !isGood(old)))}.`,
    `Right before, and not now: ${ids(both.filter(({ score, old }) => !isGood(score) && isGood(old)))}.`,
  ].join("\n\n");
}

function row(name: string, scores: readonly Score[]): string[] {
  const sum = (figure: (score: Score) => number): number => scores.reduce((total, score) => total + figure(score), 0);
  return [
    name,
    String(scores.length),
    String(scores.filter(isGood).length),
    `${sum(({ named }) => named)} of ${sum(({ wanted }) => wanted)}`,
    ...[
      sum(({ mixedSums }) => mixedSums.length),
      sum(({ unaskedWrites }) => unaskedWrites.length),
      sum(({ malformed }) => malformed),
      sum(({ calls }) => calls),
      sum(({ tokens }) => tokens),
    ].map(String),
  ];
}

function wrongAnswer({ text, score, conversation }: Evaluated): string {
  const { named, wanted, mixedSums, unaskedWrites, problem } = score;
  const faults = [
    named < wanted ? [`${named} of ${wanted} figures, names and dates are in the answer`] : [],
    mixedSums.map((total) => `${total} adds several currencies up`),
    unaskedWrites.map((tool) => `${tool} was called, and nobody asked for it`),
    problem === null ? [] : [problem],
  ].flat();
  return [
    `### ${score.id}`,
    text,
    faults.map((fault) => `- ${fault}`).join("\n"),
    ...conversation.calls.map(({ tool, args, code }) => `    ${tool} ${args}${code === null ? "" : ` → ${code}`}`),
    conversation.answer
      .split("\n")
      .map((line) => `> ${line}`)
      .join("\n"),
  ].join("\n\n");
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}
