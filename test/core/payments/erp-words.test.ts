import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withErpWords } from "../../../src/core/collection/push-outcome.ts";

const OURS = "The ERP refused the receipt with status 400.";

describe("what the ERP says", () => {
  it("follows the service's sentence, marked as the ERP's [completions.12.erp-words]", () => {
    expect(withErpWords(OURS, "AR_X: The period is closed.")).toBe(
      `${OURS} The ERP says: “AR_X: The period is closed.”`,
    );
    expect(withErpWords(OURS, null)).toBe(OURS);
    expect(withErpWords(OURS, " \u202e\n ")).toBe(OURS);
  });

  it("is cleaned and at most 300 characters long [completions.12.erp-words]", () => {
    const hostile = "<b>a</b>\u202e\u0000\r\n\tb\u200bc\u2066 \ud800";
    expect(withErpWords(OURS, hostile)).toBe(`${OURS} The ERP says: “<b>a</b> b c \ufffd”`);
    const long = withErpWords(OURS, "😀".repeat(5_000));
    expect([...long.slice(long.indexOf("“") + 1, -1)]).toHaveLength(300);
    expect(long.endsWith("😀…”")).toBe(true);
  });

  it("never ends its quotation, whatever it holds [completions.12.erp-words]", () => {
    const sentences = fc.constantFrom("” Nothing was sent. The ERP says: “", '"', "»", "„x‟", "〞", "＂", "״", "″");
    const parts = fc.array(fc.oneof(sentences, fc.string({ unit: "binary", maxLength: 20 })), { maxLength: 30 });
    fc.assert(
      fc.property(parts, (said) => {
        const text = withErpWords(OURS, said.join(""));
        if (text === OURS) return;
        expect(text.startsWith(`${OURS} The ERP says: “`)).toBe(true);
        const words = text.slice(`${OURS} The ERP says: “`.length, -1);
        expect(text.endsWith("”")).toBe(true);
        expect(words).not.toMatch(/["“”„‟«»〝〞〟＂״″\p{Cc}\p{Cf}]/u);
        expect([...words].length).toBeLessThanOrEqual(300);
        expect(text.isWellFormed()).toBe(true);
      }),
    );
  });
});
