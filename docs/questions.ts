import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { QUESTIONS } from "../evals/questions/index.ts";
import { type Call, CLASSES, type Limits, type Question, USUAL_LIMITS } from "../evals/questions/question.ts";

const ABOUT: Readonly<Record<(typeof CLASSES)[number], string>> = {
  lookup: "One thing, found by what people call it.",
  sum: "Totals, one for each currency.",
  ranking: "Who and what comes first.",
  filter: "Everything of a kind.",
  time: "Days as people say them, and how customers pay.",
  why: "Reasons that the service itself gives.",
  change: "What is different from before.",
  action: "Something is changed, because the person asked for it.",
  refusal: "What the service can never do, or not for this person or this debt. Nothing changes.",
  hostile: "Names and numbers that hold orders, markup or code. They are answered as the data they are.",
};

/** `docs/questions.md`, read off the questions. */
export function questionsPage(): string {
  return `${[
    "# Questions and the calls that answer them",
    "Written by `node docs/questions.ts` from `evals/questions`; a test fails when the two differ.",
    `What a finance person asks an assistant, ${QUESTIONS.length} times. Each answer is compared with plain SQL over the same book, to the cent. ` +
      `A question may cost ${USUAL_LIMITS.calls} calls and ${words(USUAL_LIMITS.tokens)} tokens (o200k, over arguments and text content); ` +
      "some have limits of their own. `{today}`, `{next_monday}`, `{last_month}` and the like are dates of the workspace's own calendar " +
      "(months are named by their first day, `{today-46}` is 46 days earlier), other `{names}` are values of the book, and `{0.data.0.id}` is a value of the first answer.",
    "## How to ask them\n\n```sh\nnpm run questions\nnpm run questions -- --book demo sum-overdue filter-disputed\n```\n\n" +
      "`--book` is `demo`, on the embedded store, or `large`, 100,000 installments on PostgreSQL; both if left out. " +
      "`--store embedded` or `--store postgresql` puts them on the other store. " +
      "It exits with 1 unless every answer is exact, questions with limits of their own keep them, and eleven of twelve keep the usual ones.",
    "## Let a model answer them\n\n```sh\nEVALS_API_KEY=<key> npm run evals -- --endpoint https://models.example/v1 --model <name> --out before\nnpm run evals -- --help\n```\n\n" +
      "The model gets the server's tools and instructions over MCP, on the demo. It is scored on the figures that its answer names, with their currency, " +
      "on sums over several currencies, on writes that nobody asked for, and on calls and tokens. `--out` writes a report and a JSON file; `--compare` sets an earlier JSON file beside the new run.",
    ...CLASSES.flatMap((name) => [
      `## ${name}`,
      ABOUT[name],
      ...QUESTIONS.filter((question) => question.class === name).map(section),
    ]),
  ].join("\n\n")}\n`;
}

function section({ id, text, calls, limits }: Question): string {
  const held = limits === undefined ? "" : ` At most ${told(limits)}.`;
  return [`**${id}**: ${text}${held}`, ...calls.map((call) => `- ${shown(call)}`)].join("\n");
}

function shown({ tool, args, refused, asMember = false }: Call): string {
  const given = Object.keys(args).length === 0 ? "" : ` \`${JSON.stringify(args)}\``;
  const by = asMember ? ", called by a member" : "";
  return `${tool}${given}${by}${refused === undefined ? "" : `: refused, \`${refused}\``}`;
}

function told({ calls, tokens }: Limits): string {
  return `${calls === 1 ? "1 call" : `${calls} calls`} and ${words(tokens)} tokens`;
}

function words(count: number): string {
  return count.toLocaleString("en-US");
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, "questions.md"), questionsPage());
