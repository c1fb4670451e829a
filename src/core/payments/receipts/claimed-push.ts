import { isDeepStrictEqual } from "node:util";
import type { ReceiptReason } from "../../../erp-reasons.ts";
import { receiptNumberOf } from "../../../gateways/erp/receipt-number.ts";
import { touchShown } from "../../../store/aging/rollup.ts";
import type { PaymentRow } from "../../../store/tables/payments.ts";
import { UNCLAIMED, updateClaimed } from "../../../store/work-queue.ts";
import { lockChargeableCurrencies, lockInvoices } from "../../collection/collection-queries.ts";
import { type PushOutcome, pushOutcomeColumns, RECEIPT_FAILURES, stateChange } from "../../collection/push-outcome.ts";
import { notePushContact } from "../../erp-access/connection-status-queries.ts";
import type { SystemActor } from "../../gate/actor.ts";
import { claimByTurns, newLease, type Turn } from "../../gate/claims.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { instantsOf, RETRY, retryAt } from "../../gate/retry.ts";
import { type Leading, workStep } from "../../gate/work-step.ts";
import { recomputeInvoices } from "../../invoices/recompute.ts";
import { updatePayment } from "../payment-queries.ts";
import {
  type ClaimedPush,
  claimFirstOf,
  freeLines,
  lockClaimedPush,
  otherPushes,
  releaseClaims,
  tenantsOfClaims,
} from "./push-queries.ts";
import { reasonInWords } from "./reason-in-words.ts";

/** Published when receipts were queued, so that a process pushes them at once instead of at the next poll. */
export const RECEIPTS_QUEUED = "receipts_queued";

/** An attempt under way: what to tell the ERP, and how to reach it; `others` may be what its balance holds already. */
export type BegunPush = NonNullable<Awaited<ReturnType<typeof beginPush>>>;

/** An attempt, and how it ended. */
interface EndedPush {
  readonly push: ClaimedPush;
  readonly begun: BegunPush;
  readonly outcome: PushOutcome;
}

/**
 * Claims the next push that is due, of any tenant (completions §7); undefined when no push is due. One at a time for each ERP,
 * and the ERPs by turns, so that one with thousands of receipts delays no other; none of the workspaces `except`.
 */
export async function claimPush(
  core: Core,
  leaseMs: number,
  { turn, except = [] }: { turn?: Turn; except?: readonly string[] } = {},
): Promise<ClaimedPush | undefined> {
  const claimId = core.newId();
  try {
    const [push] = await claimByTurns(
      core,
      { limit: 1, turn },
      {
        find: (tx, shards, { after }) => freeLines(tx, shards, { after, except }, instantsOf(core)),
        claim: async (tx, line) => ({ rows: await claimFirstOf(tx, line, { ...newLease(core, leaseMs), claimId }) }),
      },
    );
    return push;
  } catch (error) {
    // The commit may have gone well and its answer be lost: then nobody would know of the claim.
    await releasePush(core, claimId).catch(() => undefined);
    throw error;
  }
}

/**
 * Gives up what a claim holds, with nothing known of the outcome, to be claimed again soon by any worker. With null every claim there
 * is, for at once: right where one process is all there is, at its start.
 */
export const releasePush = workStep({
  name: "releasePush",
  find: ({ tx, shards }, claimId: string | null) => tenantsOfClaims(tx, shards, claimId),
  run: ({ tx, core, tenantId }, claimId: string | null) =>
    claimId === null
      ? releaseClaims(tx, { tenant_id: tenantId })
      : releaseClaims(tx, { tenant_id: tenantId, claim_id: claimId }, { next_attempt_at: retryAt(core, RETRY.push) }),
});

/**
 * Begins an attempt: from the commit on the push is `processing`, unless the ERP has the receipt already. Null, and the
 * claim given up, when there is nothing to do any more.
 */
export const beginPush = workStep({
  name: "beginPush",
  async run({ tx, core }, push: ClaimedPush) {
    const { tenant_id: tenantId, invoice_id: invoiceId } = push;
    await lockChargeableCurrencies(tx, tenantId);
    await lockInvoices(tx, tenantId, [invoiceId]);
    const row = await lockClaimedPush(tx, push);
    if (row === undefined) return null;
    const { credential } = row;
    if (credential === null) {
      await updateClaimed(tx, "payments", push, UNCLAIMED);
      return null;
    }
    const now = nowOf(core);
    const { push_first_attempt_at: first } = row;
    // One in the future was noted by a clock that was wrong.
    const firstAttemptAt = first === null || first > now ? now : first;
    const status = row.erp_receipt_id === null ? "processing" : row.erp_push_status;
    const others = row.erp_receipt_id === null && !row.push_anyway ? await otherPushes(tx, push, row) : [];
    const attempt = { erp_push_status: status, push_first_attempt_at: firstAttemptAt, push_attempted_at: now };
    await updatePayment(tx, push, attempt);
    if (status !== row.erp_push_status) await recomputeInvoices(tx, core, tenantId, [invoiceId]);
    // One that was entered in the ERP by hand has a number of its own.
    const receiptNumber = row.erp_receipt_number ?? receiptNumberOf(push.payment_id, row.receipt_round);
    // An earlier attempt sent it, and was cut off before the outcome was known.
    const mayHaveArrived = row.erp_push_status === "processing";
    return { ...row, credential, others, receiptNumber, mayHaveArrived, firstAttemptAt };
  },
});

/**
 * Writes how an attempt ended and recomputes the invoice; false, and nothing written, once the claim was lost. The connection's
 * status follows: a failed attempt says of it what a failed pull would, a good one that it works.
 */
export const recordPushOutcome = workStep({
  name: "recordPushOutcome",
  async run({ tx, core }, { push, begun, outcome }: EndedPush) {
    const { tenant_id: tenantId, invoice_id: invoiceId } = push;
    const { push_anyway: anyway, erp_push_status: was } = begun;
    const now = nowOf(core);
    // A person may take days to have a missing invoice shown again: until then no day begins.
    const isHidden = begun.missing_since !== null && outcome.error?.code === "invoice_not_shown";
    await lockChargeableCurrencies(tx, tenantId);
    if (outcome.contact !== null) await notePushContact(tx, { tenant_id: tenantId, ...begun }, outcome.contact, now);
    await lockInvoices(tx, tenantId, [invoiceId]);
    const change = pushOutcomeColumns(outcome, { firstAttemptAt: isHidden ? now : begun.firstAttemptAt, now, anyway });
    const erp_receipt_number = change.erp_receipt_id === null ? null : begun.receiptNumber;
    touchShown(tx, "payments", [push.payment_id]);
    if (!(await updateClaimed(tx, "payments", push, { ...change, erp_receipt_number, ...UNCLAIMED }))) return false;
    const { erp_push_status: state, erp_push_error: reason } = change;
    const isGivenUp = begun.push_retryable && !change.push_retryable;
    // An outage is tried again for a day: that is one entry, and one where it outlasts the day.
    if (state !== was || isGivenUp || !isDeepStrictEqual(reason, begun.erp_push_error))
      await recordReceiptChanges({ tx, core }, { tenantId, by: "push" }, [
        { paymentId: push.payment_id, was, state, receiptNumber: erp_receipt_number, reason },
      ]);
    await recomputeInvoices(tx, core, tenantId, [invoiceId]);
    return true;
  },
});

/** A receipt whose state, or the reason for it, has changed. */
interface ReceiptChange {
  readonly paymentId: string;
  readonly was: PaymentRow["erp_push_status"];
  readonly state: keyof typeof ENTRIES;
  /** The ERP's; null for one that is not there, or whose number is known already. */
  readonly receiptNumber?: string | null;
  readonly reason: ReceiptReason | null;
}

const entry = (id: string) =>
  workStep({
    name: id,
    callers: ["system"],
    async run({ audit }, changes: readonly ReceiptChange[]) {
      const objects = changes.map(({ paymentId, was, state, receiptNumber = null, reason }) => {
        const receipt = stateChange(was, { erp_push_status: state, erp_receipt_number: receiptNumber });
        return {
          type: "payment",
          id: paymentId,
          details: { receipt, ...(reason && { note: reasonInWords(reason) }) },
        };
      });
      audit(objects);
    },
  });

/** What is recorded of each state; that one in the ERP is posted again means that its application was taken back. */
const ENTRIES = {
  processing: entry("recordSentReceipt"),
  failed: entry(RECEIPT_FAILURES.failed),
  posted: entry(RECEIPT_FAILURES.posted),
  applied: entry("recordAppliedReceipt"),
  reversed: entry(RECEIPT_FAILURES.reversed),
} as const;
const UNAPPLIED = entry(RECEIPT_FAILURES.unapplied);

/** Puts what the service saw of receipts into the audit trail: `by` is the job that saw it (completions §12). */
export async function recordReceiptChanges(
  leading: Pick<Leading, "tx" | "core">,
  { tenantId, by }: { tenantId: string; by: "push" | "sync" },
  changes: readonly ReceiptChange[],
) {
  const inRequest = { ...leading, requestId: leading.core.newId() };
  const actor: SystemActor = { kind: "system", tenantId, name: by };
  for (const [state, alike] of Map.groupBy(changes, (change) => change.state)) {
    const operation = state === "posted" && by === "sync" ? UNAPPLIED : ENTRIES[state];
    await operation.within(inRequest, actor, alike);
  }
}
