import type { ErpInvoice } from "../../../gateways/erp/gateway.ts";
import type { ErpReceipt } from "../../../gateways/erp/receipts.ts";
import { lockChargeableCurrencies, lockInvoices } from "../../collection/collection-queries.ts";
import { receiptReason, TAKEN_BACK } from "../../collection/push-outcome.ts";
import { farthestOf } from "../../gate/retry.ts";
import { workStep } from "../../gate/work-step.ts";
import { recomputeInvoices } from "../../invoices/recompute.ts";
import { recordReceiptChanges } from "./claimed-push.ts";
import { stateForPayment } from "./push-balance.ts";
import {
  type Connection,
  hasReceipts,
  type KnownReceipt,
  lockUnmoved,
  type MovedReceipt,
  receiptsOfRisen,
  receiptsToFollow,
  writeMoves,
  writeNextPolls,
} from "./receipt-queries.ts";

/** Receipts of one poll; what is left is due at the next. */
const RECEIPTS_PER_POLL = 500;
/** An applied receipt is polled again when it is older by this part of its age: often while young, and always again. */
const POLL_AGAIN_AFTER = 0.1;

/** A connection, and when the run that pulls it began. */
export interface PulledConnection extends Connection {
  startedAt: string;
}

/** What a poll of receipts found. */
interface PolledReceipts extends Pick<PulledConnection, "startedAt"> {
  known: readonly KnownReceipt[];
  /**
   * By their payments, those that it shows; empty where it could not be read. Null for one settled by hand that it was never seen to
   * have: the person's word holds.
   */
  found: ReadonlyMap<string, ErpReceipt | null>;
  /** Their installments owe more than before, as {@link receiptsInDoubt} has it. */
  inDoubt: boolean;
}

type PolledState = ErpReceipt["state"] | undefined;

/**
 * Receipts that the ERP has, by the service or by hand, and may have moved: a posted one each time, an applied one the less often the
 * older. Null where the connection has none to follow, now or later.
 */
export const dueReceipts = workStep({
  in: "workspace",
  async run({ tx, now }, connection: Connection) {
    if (!(await hasReceipts(tx, connection))) return null;
    const due = { now, farthest: farthestOf(now), later: POLL_AGAIN_AFTER, limit: RECEIPTS_PER_POLL };
    return receiptsToFollow(tx, connection, due);
  },
});

/**
 * Applied receipts on installments that the ERP now shows with more owed than they would explain: whether one was reversed
 * has to be known before that balance is believed, or its customer would be asked to pay again.
 */
export const receiptsInDoubt = workStep({
  in: "workspace",
  run: ({ tx }, connection: Connection, invoices: readonly ErpInvoice[]) =>
    receiptsOfRisen(tx, connection, balancesOf(invoices)),
});

function balancesOf(invoices: readonly ErpInvoice[]) {
  return invoices.flatMap(({ erpInvoiceId: erp_invoice_id, installments }) =>
    installments.map(({ erpInstallmentId: erp_installment_id, outstanding }) => ({
      erp_invoice_id,
      erp_installment_id,
      outstanding,
    })),
  );
}

/**
 * Records the polled states of receipts (applied since, not applied any more, or reversed, service.md §3.3) and recomputes their
 * invoices; answers how many had moved. One that the ERP does not show stays unchanged, for it may only be hidden from the
 * service's user; but in doubt no balance is taken to include it until it is shown as applied again.
 */
export const noteReceipts = workStep({
  name: "noteReceipts",
  async run({ tx, core, now, actor: { tenantId } }, { startedAt, known, found, inDoubt }: PolledReceipts) {
    // What the first poll finds applied is in every balance that the run reads after it.
    const appliedAt = inDoubt ? now : new Date(Date.parse(startedAt) - 1).toISOString();
    await lockChargeableCurrencies(tx, tenantId);
    const invoiceIds = known.map((receipt) => receipt.invoice_id);
    await lockInvoices(tx, tenantId, invoiceIds);
    const unmoved = await lockUnmoved(tx, tenantId, known);
    const polled = known
      .filter((receipt) => unmoved.has(receipt.payment_id))
      .map((receipt) => {
        const shown = found.get(receipt.payment_id);
        const state = stateOf(receipt, shown);
        return { receipt, shown, state, move: moveOf(receipt, { state, shown }, { inDoubt, appliedAt }) };
      });
    const moves = polled.flatMap(({ move }) => move ?? []);
    await writeMoves(tx, tenantId, moves);
    const seen = polled.filter(({ state, move }) => state !== undefined && move !== null);
    const changes = seen.flatMap(({ receipt: { payment_id: paymentId, erp_push_status: was }, state, move }) =>
      state === undefined || state === was ? [] : [{ paymentId, was, state, reason: move?.erp_push_error ?? null }],
    );
    await recordReceiptChanges({ tx, core }, { tenantId, by: "sync" }, changes);
    const polls = polled.map(({ receipt, state, shown }) => ({
      payment_id: receipt.payment_id,
      erp_receipt_id: shown?.receiptId ?? receipt.erp_receipt_id,
      // One that is in no balance until it is shown is looked for by the next run, before that reads any.
      next_look_at: inDoubt && state === undefined ? now : nextPoll(receipt, state, now),
    }));
    await writeNextPolls(tx, tenantId, polls);
    const movedInvoices = polled.flatMap(({ receipt, move }) => (move === null ? [] : [receipt.invoice_id]));
    await recomputeInvoices(tx, core, tenantId, movedInvoices, { keepLinks: true });
    return seen.length;
  },
});

/** What changes on the payment of a receipt found in a state, undefined for one that the ERP does not show; null for nothing. */
function moveOf(
  { payment_id, erp_push_status, applied_at }: KnownReceipt,
  { state, shown }: { state: PolledState; shown: ErpReceipt | null | undefined },
  { inDoubt, appliedAt }: { inDoubt: boolean; appliedAt: string },
): MovedReceipt | null {
  // Without the time it was applied at, no read of its invoice makes it reflected.
  if (state === undefined)
    return inDoubt ? { payment_id, erp_push_status, erp_push_error: null, applied_at: null } : null;
  if (state === erp_push_status && (state !== "applied" || applied_at !== null)) return null;
  return {
    payment_id,
    erp_push_status: state,
    erp_push_error: state === "posted" ? { code: TAKEN_BACK } : reasonOf(shown),
    applied_at: state === "applied" ? appliedAt : null,
  };
}

/** Of a receipt that the ERP undid and says why; else null. */
const reasonOf = (shown: ErpReceipt | null | undefined) =>
  shown?.state !== "reversed" || shown.reversalReason === null
    ? null
    : receiptReason({ code: "reversed" }, shown.reversalReason);

function stateOf({ amount }: KnownReceipt, shown: ErpReceipt | null | undefined): PolledState {
  return shown === null ? "applied" : shown && stateForPayment(shown, amount);
}

function nextPoll({ erp_push_status, applied_at }: KnownReceipt, polled: PolledState, now: string) {
  const state = polled ?? erp_push_status;
  if (state === "reversed") return null;
  if (state === "posted" || applied_at === null) return now;
  const age = Math.max(0, Date.parse(now) - Date.parse(applied_at));
  return new Date(Date.parse(now) + age * POLL_AGAIN_AFTER).toISOString();
}
