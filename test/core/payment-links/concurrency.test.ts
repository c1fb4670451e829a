import { describe, expect, it } from "vitest";
import { ask, askOverRest, refusedBy } from "../../support/collecting.ts";
import { A_STORE } from "../../support/thorough.ts";
import { useCollecting } from "../../support/use-collecting.ts";

const AT_ONCE = 50;

describe.each(A_STORE)("many who ask for the same at once on $name", ({ open }) => {
  const { app, book } = useCollecting(open, "stripe");

  async function askAtOnce(keyOf: (index: number) => string, amountMinor?: number) {
    const owing = await book.owing("100.00");
    const link = ask(owing, 0, amountMinor);
    const before = app.stripe.links.length;
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) => askOverRest(app, book, { links: [link] }, keyOf(index))),
    );
    const read = await book.read(owing.invoice.invoice_id);
    return {
      made: answers.filter((answer) => answer.status === 201),
      refused: answers.filter((answer) => answer.status !== 201).map(refusedBy),
      live: (await book.links()).filter((row) => row.state !== "withdrawn"),
      atStripe: app.stripe.links.length - before,
      available: read.installments[0]?.available_amount,
    };
  }

  it("with one key get one link and one answer, or conflict [completions.5.concurrent]", async () => {
    const { made, refused, live, atStripe, available } = await askAtOnce(() => "the same");
    expect(live.map((link) => link.state)).toEqual(["active"]);
    expect(atStripe).toBe(1);
    expect(new Set(made.map((answer) => answer.text)).size).toBe(1);
    expect(new Set(refused.map(({ code }) => code)).size).toBeLessThanOrEqual(1);
    expect(refused.every(({ code }) => code === "conflict")).toBe(true);
    expect(available).toBe("0.00");
  });

  it("with keys of their own, one of them gets the link [completions.5.concurrent]", async () => {
    const { made, refused, live, atStripe, available } = await askAtOnce((index) => `key-${index}`);
    expect(made).toHaveLength(1);
    expect(live.map((link) => link.state)).toEqual(["active"]);
    expect(atStripe).toBe(1);
    expect(refused).toHaveLength(AT_ONCE - 1);
    expect(refused.every(({ status, code }) => status === 409 && code === "conflict")).toBe(true);
    expect(available).toBe("0.00");
  });

  it("never get more than is available together [completions.5.concurrent]", async () => {
    const { made, refused, live, available } = await askAtOnce((index) => `key-${index}`, 1_500);
    expect(refused.filter(({ code }) => code !== "amount_exceeds_available")).toEqual([]);
    expect(made).toHaveLength(6);
    expect(live).toHaveLength(6);
    expect(available).toBe("10.00");
  });
});
