import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Book } from "../../evals/books/book.ts";
import { openDemo } from "../../evals/books/demo.ts";
import { evaluate } from "../../evals/model/evaluate.ts";
import { isGood } from "../../evals/model/score.ts";
import { QUESTIONS } from "../../evals/questions/index.ts";
import { money, sum } from "../../src/core/kernel/money.ts";
import { INSTRUCTIONS } from "../../tools/instructions.ts";
import { copyDemo, DEMO_KEY } from "../support/stores.ts";
import { type Asked, type Script, startModel } from "./model-server.ts";

const Totals = z.object({ totals: z.array(z.object({ currency: z.string(), overdue: z.string() })) });
const totalsIn = ({ answers }: Asked) => Totals.parse(JSON.parse(answers.at(-1) ?? "")).totals;

const ASK_OVERDUE = { tool: "summarize_aging", args: '{"overdue_only":true}' };

/** Asks first, then says what `told` makes of the answer. */
const afterAsking =
  (told: (asked: Asked) => string): Script =>
  (asked) =>
    asked.answers.length === 0 ? ASK_OVERDUE : told(asked);

const inWords = (asked: Asked): string =>
  totalsIn(asked)
    .map(
      ({ currency, overdue }) =>
        `- ${Number(overdue).toLocaleString("en-US", { maximumFractionDigits: 3 })} ${currency}`,
    )
    .join("\n");

let book: Book;
beforeAll(async () => {
  const dataDir = await copyDemo();
  book = await openDemo(dataDir, () => rmSync(dataDir, { recursive: true, force: true }), { ENCRYPTION_KEY: DEMO_KEY });
});
afterAll(() => book.close());

/** One question, put to a model that follows a script. */
async function put(id: string, script: Script, more: { timeoutMs?: number } = {}) {
  const model = await startModel(script);
  try {
    const endpoint = {
      url: model.url,
      model: "scripted",
      key: "secret",
      timeoutMs: 5_000,
      retryDelaysMs: [1, 1],
      ...more,
    };
    const [one] = await evaluate(
      book,
      QUESTIONS.filter((question) => question.id === id),
      endpoint,
    );
    if (one === undefined) throw new Error(`no question ${id}`);
    return { ...one, isGood: isGood(one.score), asked: model.asked };
  } finally {
    await model.close();
  }
}

describe("a model's answer", () => {
  it("is right when it names each figure with its currency; calls and tokens are counted", async () => {
    const { isGood, score, asked } = await put("sum-overdue", afterAsking(inWords));
    expect(isGood, JSON.stringify(score)).toBe(true);
    expect(score).toMatchObject({ calls: 1, malformed: 0, unaskedWrites: [], mixedSums: [] });
    expect(score.wanted).toBeGreaterThan(2);
    expect(score.tokens).toBeGreaterThan(200);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({ model: "scripted", authorization: "Bearer secret" });
    expect(asked[0]?.messages[0]).toEqual({ role: "system", content: INSTRUCTIONS });
    expect(asked[0]?.tools.map((tool) => tool.function.name)).toContain("push_held_payments");
  });

  it("is wrong with figures of the wrong currency, and with none", async () => {
    const swapped = await put(
      "sum-overdue",
      afterAsking((asked) => {
        const totals = totalsIn(asked);
        return totals.map(({ overdue }, at) => `${overdue} ${totals[(at + 1) % totals.length]?.currency}`).join("\n");
      }),
    );
    expect(swapped.score.named).toBe(0);
    const nothing = await put("sum-overdue", () => "A good deal is overdue.");
    expect(nothing).toMatchObject({ isGood: false, score: { named: 0, calls: 0, problem: null } });
  });

  it("is wrong when it adds currencies up, though each figure is named", async () => {
    const { isGood, score } = await put(
      "sum-overdue",
      afterAsking((asked) => {
        const total = sum(totalsIn(asked).map(({ overdue }) => money(overdue)));
        return `${inWords(asked)}\n\nIn total ${total.toFixed()} is overdue.`;
      }),
    );
    expect(isGood).toBe(false);
    expect(score.named).toBe(score.wanted);
    expect(score.mixedSums).toHaveLength(1);
  });

  it("is wrong when something was written that nobody asked for, even without effect", async () => {
    const dismiss = { tool: "dismiss_task", args: `{"task_id":"${crypto.randomUUID()}"}` };
    const { isGood, score } = await put("sum-overdue", (asked) => {
      if (asked.answers.length === 0) return dismiss;
      return asked.answers.length === 1 ? ASK_OVERDUE : inWords(asked);
    });
    expect(isGood).toBe(false);
    expect(score.named).toBe(score.wanted);
    expect(score.unaskedWrites).toEqual(["dismiss_task"]);
  });

  it("to something that cannot be done is a no; the attempt may fail, and must not succeed in another form", async () => {
    expect(await put("refusal-refund", () => "I cannot refund payments.")).toMatchObject({ isGood: true });
    expect(await put("refusal-refund", () => "The payment was refunded.")).toMatchObject({ isGood: false });
    const bent = await put("refusal-own-words", (asked) => {
      const number = /invoice (\S+)/.exec(asked.messages[1]?.content ?? "")?.[1];
      const [found = "", invoice = ""] = asked.answers;
      const id = /"id":"([0-9a-f-]{36})"/;
      if (found === "") return { tool: "list_invoices", args: JSON.stringify({ invoice_number: number }) };
      const invoice_id = id.exec(found)?.[1];
      if (invoice === "") return { tool: "get_invoice", args: JSON.stringify({ invoice_id }) };
      const installment_id = /"installments":\[\{"id":"([0-9a-f-]{36})"/.exec(invoice)?.[1];
      const links = [{ invoice_id, installment_id }];
      if (asked.answers.length === 2)
        return { tool: "create_payment_links", args: JSON.stringify({ links, idempotency_key: "bent" }) };
      return "I cannot add a text, so I made the link without it.";
    });
    expect(bent.score).toMatchObject({ unaskedWrites: ["create_payment_links"], named: 1 });
    expect(bent.score.problem).toContain("not as it should be");
  });

  it("about an action counts by what the book says afterwards", async () => {
    const { isGood, score } = await put("action-dismiss", () => "Done: true, the task is dismissed.");
    expect(isGood).toBe(false);
    expect(score.problem).toContain("not as it should be");
  });
});

describe("a model that", () => {
  it("writes malformed arguments is told so, and may go on", async () => {
    const { isGood, score, asked } = await put("sum-overdue", (one) => {
      if (one.answers.length === 0) return { tool: "summarize_aging", args: '{"overdue_only":' };
      return one.answers.length === 1 ? ASK_OVERDUE : inWords(one);
    });
    expect(isGood).toBe(true);
    expect(score).toMatchObject({ malformed: 1, calls: 2 });
    expect(asked[1]?.answers[0]).toContain("not a JSON object");
  });

  it("calls a tool that does not exist, or with arguments that do not fit, is answered by the server", async () => {
    const { score, asked } = await put("sum-overdue", (one) => {
      if (one.answers.length === 0) return { tool: "sum_everything", args: "{}" };
      return one.answers.length === 1 ? { tool: "summarize_aging", args: '{"bucket":"old"}' } : "I give up.";
    });
    expect(score).toMatchObject({ calls: 2, named: 0, problem: null });
    expect(asked[2]?.answers[1]).toContain("validation_failed");
  });

  it("calls without end is stopped", async () => {
    const { score } = await put("sum-overdue", () => ASK_OVERDUE);
    expect(score).toMatchObject({ calls: 20, problem: "it went on after 20 calls" });
  });

  it("says nothing has answered nothing", async () => {
    expect((await put("sum-overdue", () => "")).score.problem).toBe("it said nothing");
  });
});

describe("an endpoint that", () => {
  it("answers 429 or 500 is asked again", async () => {
    const failures = [{ status: 429 }, { status: 500 }];
    const { isGood, asked } = await put("sum-overdue", (one) => failures.pop() ?? afterAsking(inWords)(one));
    expect(isGood).toBe(true);
    expect(asked).toHaveLength(4);
  });

  it("goes on failing, hangs or refuses is given up, and said so", async () => {
    expect((await put("sum-overdue", () => ({ status: 503 }))).score.problem).toContain("status 503");
    const hanging = await put("sum-overdue", () => "hang", { timeoutMs: 50 });
    expect(hanging.score.problem).toContain("did not answer within 50 ms");
    expect(hanging.asked).toHaveLength(3);
    const refusing = await put("sum-overdue", () => ({ status: 401 }));
    expect(refusing.score.problem).toContain("status 401");
    expect(refusing.asked).toHaveLength(1);
  });
});
