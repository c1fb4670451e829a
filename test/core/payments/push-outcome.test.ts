import { describe, expect, it } from "vitest";
import { type PushOutcome, pushOutcomeColumns } from "../../../src/core/collection/push-outcome.ts";

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
