import { receiptNumberOfRound } from "../../../gateways/erp/receipt-number.ts";
import type { ErpConnectionRow } from "../../../store/tables/erp.ts";
import { UNCLAIMED, updateClaimed } from "../../../store/work-queue.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { lockChargeableCurrencies, lockInvoices } from "../../invoices/collection-queries.ts";
import { recomputeInvoices } from "../../invoices/recompute.ts";
import { businessDate } from "../../shared/calendar.ts";
import { RETRY, retryAt } from "../../shared/retry.ts";
import { claimByTurns, later, newLease, type Turn } from "../../shared/work.ts";
import type { ReceiptToPush } from "./push-attempt.ts";
import type { ExpectedBalance } from "./push-balance.ts";
import { type ClaimedPush, claimFirstOf, holdNextLine } from "./push-claim-queries.ts";
import { type PushOutcome, settled } from "./push-outcome.ts";
import {
  endEveryClaim,
  lockClaimedPush,
  markAttempt,
  noteContact,
  type OtherPushRow,
  otherPushes,
  type PushRow,
  releaseClaim,
} from "./push-queries.ts";

/** Published when receipts were queued, so that a process pushes them at once instead of at its next look. */
export const RECEIPTS_QUEUED = "receipts_queued";

/** An attempt under way: what to tell the ERP, and how to reach it. */
export interface BegunPush {
  readonly receipt: ReceiptToPush;
  readonly connection: Pick<
    ErpConnectionRow,
    "connection_id" | "provider" | "base_url" | "address_reach" | "username"
  > & {
    readonly credential: string;
  };
  readonly firstAttemptAt: string;
  /** A person said to push it although the ERP's balance seems to hold the money. */
  readonly anyway: boolean;
}

/**
 * Claims the next push that is due, of any tenant (completions §7); undefined when there is none. One at a time for each ERP, and the
 * ERPs by turns, so that one with thousands of receipts is in nobody's way.
 */
export async function claimPush(core: Core, leaseMs: number, turn?: Turn): Promise<ClaimedPush | undefined> {
  const claimId = core.newId();
  try {
    const [push] = await claimByTurns(core, { limit: 1, turn }, async (tx, after) => {
      const lease = { ...newLease(core, leaseMs), claimId };
      const line = await holdNextLine(tx, after, lease);
      return { line, rows: line === undefined ? [] : await claimFirstOf(tx, line, lease) };
    });
    return push;
  } catch (error) {
    // The commit may have gone well and its answer be lost: then nobody would know of the claim.
    await releasePush(core, claimId).catch(() => undefined);
    throw error;
  }
}

/** Gives up whatever a claim holds, with nothing known of the outcome, to be claimed again soon by anybody. */
export function releasePush(core: Core, claimId: string): Promise<boolean> {
  const nextAttemptAt = retryAt(core, RETRY.push);
  return core.store.system((tx) => releaseClaim(tx, { claimId, nextAttemptAt }));
}

/**
 * Begins an attempt: from the commit on the push is `processing`, unless the ERP has the receipt already. Null, and the
 * claim given up, when there is nothing to do any more.
 */
export function beginPush(core: Core, push: ClaimedPush): Promise<BegunPush | null> {
  const { tenant_id: tenantId, invoice_id: invoiceId } = push;
  return core.store.write(tenantId, async (tx) => {
    await lockChargeableCurrencies(tx, tenantId);
    await lockInvoices(tx, tenantId, [invoiceId]);
    const row = await lockClaimedPush(tx, push);
    if (row === undefined) return null;
    const { credential, ...connection } = row;
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
    await markAttempt(tx, push, { erp_push_status: status, push_first_attempt_at: firstAttemptAt });
    if (status !== row.erp_push_status) await recomputeInvoices(tx, core, tenantId, [invoiceId]);
    const receipt = receiptOf(push, row, others);
    return { receipt, connection: { ...connection, credential }, firstAttemptAt, anyway: row.push_anyway };
  });
}

/** Keeps a claim for another lease; false when it is not good any more. */
export function renewPush(core: Core, push: ClaimedPush, leaseMs: number): Promise<boolean> {
  return core.store.write(push.tenant_id, (tx) =>
    updateClaimed(tx, "payments", push, { lease_expires_at: later(core, leaseMs) }),
  );
}

/** Gives a claim up with nothing known of the outcome: whoever takes the push up next looks for the receipt. */
export function abandonPush(core: Core, push: ClaimedPush): Promise<boolean> {
  return core.store.write(push.tenant_id, (tx) => updateClaimed(tx, "payments", push, UNCLAIMED));
}

/** The same for every claim there is: right where one process is all there is, at its start. */
export function abandonEveryPush(core: Core): Promise<void> {
  return core.store.system(endEveryClaim);
}

/**
 * Writes how an attempt ended, and derives the invoice's figures anew. False, and nothing written, when the claim was not
 * good any more. A failed attempt tells of the connection what a failed pull would, a good one that it works.
 */
export function settlePush(
  core: Core,
  push: ClaimedPush,
  { receipt, connection, firstAttemptAt, anyway }: BegunPush,
  outcome: PushOutcome,
): Promise<boolean> {
  const { tenant_id: tenantId, invoice_id: invoiceId } = push;
  return core.store.write(tenantId, async (tx) => {
    await lockChargeableCurrencies(tx, tenantId);
    if (outcome.contact !== null && outcome.contact !== "erp_rejected")
      await noteContact(tx, tenantId, connection, STATUS_AFTER[outcome.contact]);
    await lockInvoices(tx, tenantId, [invoiceId]);
    const change = settled(outcome, { firstAttemptAt, now: nowOf(core), anyway });
    const erp_receipt_number = change.erp_receipt_id === null ? null : receipt.receiptNumber;
    if (!(await updateClaimed(tx, "payments", push, { ...change, erp_receipt_number, ...UNCLAIMED }))) return false;
    await recomputeInvoices(tx, core, tenantId, [invoiceId]);
    return true;
  });
}

const STATUS_AFTER = {
  answered: "connected",
  authentication_failed: "requires_reauthentication",
  erp_unreachable: "temporarily_unavailable",
} as const satisfies Record<string, ErpConnectionRow["status"]>;

function receiptOf(push: ClaimedPush, row: PushRow, others: readonly OtherPushRow[]): ReceiptToPush {
  return {
    receiptNumber: receiptNumberOfRound(push.payment_id, row.receipt_round),
    amount: row.amount,
    currency: row.currency,
    receiptDate: businessDate(new Date(row.paid_at), row.timezone),
    receiptMethod: row.receipt_method,
    businessUnit: row.business_unit,
    customerNumber: row.customer_number,
    customerSite: row.customer_site,
    invoiceNumber: row.invoice_number,
    applyMode: row.apply_mode,
    erpInstallmentId: row.erp_installment_id,
    receiptId: row.erp_receipt_id,
    mayHaveArrived: row.erp_push_status === "processing",
    expected: row.push_anyway ? null : expectedBalance(row, others),
  };
}

function expectedBalance(row: PushRow, all: readonly OtherPushRow[]): ExpectedBalance | null {
  if (row.erp_invoice_id === null) return null;
  const { erp_outstanding_read_at: readAt, created_at: recordedAt } = row;
  const isIncluded = ({ reflected_at: at }: OtherPushRow) => at !== null && at < recordedAt;
  const others = all.filter((other) => !isIncluded(other));
  const mayBeIncluded = (other: OtherPushRow) =>
    other.settled_by_hand_at !== null
      ? other.created_at <= recordedAt
      : readAt !== null && other.push_first_attempt_at !== null && other.push_first_attempt_at <= readAt;
  return {
    erpInvoiceId: row.erp_invoice_id,
    erpInstallmentId: row.erp_installment_id,
    before: row.erp_outstanding_before,
    readAfterPayment: readAt !== null && row.paid_at < readAt,
    included: all.filter(isIncluded).map(({ amount, reflected_at: at }) => ({ amount, at: at ?? recordedAt })),
    others: others.map((other) => ({
      amount: other.amount,
      receiptId: other.erp_receipt_id,
      receiptNumber: receiptNumberOfRound(other.payment_id, other.receipt_round),
      applied: other.erp_push_status === "applied",
      byHand: other.settled_by_hand_at !== null,
      mayBeIncluded: mayBeIncluded(other),
      before: other.erp_outstanding_before,
      recordedAt: other.created_at,
    })),
  };
}
