import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PushOutcome, pushOutcomeColumns, receiptReason } from "../../../src/core/collection/push-outcome.ts";
import { reasonInWords } from "../../../src/core/payments/receipts/reason-in-words.ts";
import type { ReceiptReason } from "../../../src/erp-reasons.ts";

const START = "2026-03-10T15:00:00.000Z";
const DAY_MS = 24 * 60 * 60_000;
const lost: PushOutcome = {
  status: "failed",
  receiptId: null,
  error: { code: "not_reached" },
  erpMessage: null,
  retry: true,
  contact: "erp_unreachable",
};

/** When attempts are made of a push that always ends the same, each `lateMs` after it is due. */
function attemptsOf(outcome: PushOutcome, lateMs: number): number[] {
  const attempts: number[] = [];
  let at: string | null = START;
  while (at !== null) {
    attempts.push(Date.parse(at) - Date.parse(START));
    const due: string | null = pushOutcomeColumns(outcome, {
      firstAttemptAt: START,
      now: at,
      anyway: false,
    }).next_attempt_at;
    at = due === null ? null : new Date(Date.parse(due) + lateMs).toISOString();
  }
  return attempts;
}

describe("a push that failed", () => {
  it("is tried no oftener and no longer where attempts come late [service.8.push-retry]", () => {
    const attempts = attemptsOf(lost, 7_000);
    const pauses = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0));
    expect(new Set(pauses)).toEqual(new Set([15 * 60_000 + 7_000]));
    expect(attempts.at(-1)).toBeLessThanOrEqual(DAY_MS + 7_000);
    expect(attempts).toHaveLength(96);
  });

  it("and may have arrived is called failed once nobody asks any more, and says so [service.3.3.processing]", () => {
    const unknown: PushOutcome = { ...lost, status: "processing" };
    expect(pushOutcomeColumns(unknown, { firstAttemptAt: START, now: START, anyway: false })).toMatchObject({
      erp_push_status: "processing",
      push_retryable: true,
    });
    expect(
      pushOutcomeColumns(unknown, { firstAttemptAt: START, now: "2026-03-11T15:00:00.000Z", anyway: false }),
    ).toMatchObject({
      erp_push_status: "failed",
      erp_push_error: { code: "not_reached", outcome_unknown: true },
      push_retryable: false,
    });
  });
});

const REFUSED = { code: "receipt_refused", status: 400 } as const;
const OURS = "The ERP refused the receipt with status 400.";
const WAYS_ON =
  "Nothing was sent. If this money was entered there by hand, settle the payment by hand with the ERP's receipt number. If the customer paid twice, refund one of the two. Otherwise retry the push with --anyway.";
const HOLDS = "The ERP's balance already seems to hold this payment: it shows";

const withErpWords = (said: string | null): string => reasonInWords(receiptReason(REFUSED, said));

describe("a reason", () => {
  it.each<[ReceiptReason, string]>([
    [REFUSED, OURS],
    [{ code: "failing", status: 503 }, "The ERP is failing: it answered with status 503."],
    [{ code: "certificate", problem: "has expired" }, "The ERP's certificate has expired."],
    [{ code: "unusable", what: "{status} is missing" }, "The ERP's answer cannot be used: {status} is missing."],
    [
      { code: "not_reached", outcome_unknown: true, erp: "Out." },
      "The ERP cannot be reached. Whether the ERP has the receipt is not known. The ERP says: “Out.”",
    ],
    [
      { code: "balance_less", owed: { amount: "0", currency: "USD" } },
      `${HOLDS} 0.00 USD owed now, less than the payment. ${WAYS_ON}`,
    ],
    [
      { code: "balance_fell", owed: { amount: "600", currency: "JPY" }, before: { amount: "1000.5", currency: "KWD" } },
      `${HOLDS} 600 JPY owed now, and showed 1,000.500 KWD at the last sync before the payment. ${WAYS_ON}`,
    ],
    [
      { code: "invoice_retired" },
      `The ERP no longer has the invoice, or hides it, so nothing shows whether this payment was entered there. ${WAYS_ON}`,
    ],
  ])("is a sentence by its code %# [completions.12.erp-reasons]", (reason, words) => {
    expect(reasonInWords(reason)).toBe(words);
  });
});

describe("what the ERP says", () => {
  it("follows the service's sentence, marked as the ERP's [completions.12.erp-words]", () => {
    expect(withErpWords("AR_X: The period is closed.")).toBe(`${OURS} The ERP says: “AR_X: The period is closed.”`);
    expect(withErpWords(null)).toBe(OURS);
    expect(receiptReason(REFUSED, " \u202e\n ")).toEqual(REFUSED);
  });

  it("is cleaned and at most 300 characters long [completions.12.erp-words]", () => {
    const hostile = "<b>a</b>\u202e\u0000\r\n\tb\u200bc\u2066 \ud800";
    expect(withErpWords(hostile)).toBe(`${OURS} The ERP says: “<b>a</b> b c \ufffd”`);
    const long = receiptReason(REFUSED, "😀".repeat(5_000)).erp ?? "";
    expect([...long]).toHaveLength(300);
    expect(long.endsWith("😀…")).toBe(true);
  });

  it("never ends its quotation, whatever it holds [completions.12.erp-words]", () => {
    const sentences = fc.constantFrom("” Nothing was sent. The ERP says: “", '"', "»", "„x‟", "〞", "＂", "״", "″");
    const parts = fc.array(fc.oneof(sentences, fc.string({ unit: "binary", maxLength: 20 })), { maxLength: 30 });
    fc.assert(
      fc.property(parts, (said) => {
        const text = withErpWords(said.join(""));
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
