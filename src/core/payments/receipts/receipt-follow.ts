import type { ErpInvoice } from "../../../gateways/erp/gateway.ts";
import type { ErpReceipt } from "../../../gateways/erp/receipts.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { lockChargeableCurrencies, lockInvoices } from "../../invoices/collection-queries.ts";
import { recomputeInvoices } from "../../invoices/recompute.ts";
import { farthestOf } from "../../shared/retry.ts";
import { PUSH_REASONS } from "./push-reasons.ts";
import { recordReceiptMoves } from "./receipt-moves.ts";
import {
  hasReceipts,
  type KnownReceipt,
  lockUnmoved,
  type MovedReceipt,
  type ReadBalance,
  type ReceiptByHand,
  receiptsByHandOfRisen,
  receiptsOfRisen,
  receiptsToFollow,
  reverseByHand,
  writeLooks,
  writeMoves,
} from "./receipt-queries.ts";

/** Looks at one time; what is left is due at the next. */
export const LOOKS_AT_ONCE = 500;
/** An applied receipt is looked at again when it is older by this part of its age: often while young, and always again. */
const LATER = 0.1;

interface Connection {
  tenantId: string;
  connectionId: string;
}

/** A connection, and when the run that pulls it began. */
export interface PulledConnection extends Connection {
  startedAt: string;
}

/** What a look at receipts found. */
interface Looked {
  known: readonly KnownReceipt[];
  /** By the ERP's ids; what it does not show is not there, and nothing is where it could not be read. */
  found: ReadonlyMap<string, ErpReceipt>;
  /** Their installments owe more than before, as {@link receiptsInDoubt} has it. */
  inDoubt: boolean;
}

/** Receipts that the ERP has and may have moved: a posted one each time, an applied one the less often the older. */
export function dueReceipts(core: Core, connection: Connection): Promise<KnownReceipt[]> {
  const due = { now: nowOf(core), farthest: farthestOf(nowOf(core)), later: LATER, limit: LOOKS_AT_ONCE };
  return core.store.read(connection.tenantId, (tx) => receiptsToFollow(tx, connection, due));
}

/** Whether there is any receipt of a connection to follow. */
export function anyReceipts(core: Core, connection: Connection): Promise<boolean> {
  return core.store.read(connection.tenantId, (tx) => hasReceipts(tx, connection));
}

/**
 * Applied receipts on installments that the ERP, as it was read just now, shows with more owed than they would explain:
 * whether one was reversed has to be known before that balance is believed, or its customer would be asked to pay again.
 */
export function receiptsInDoubt(
  core: Core,
  connection: Connection,
  invoices: readonly ErpInvoice[],
): Promise<KnownReceipt[]> {
  return core.store.read(connection.tenantId, (tx) => receiptsOfRisen(tx, connection, balancesOf(invoices)));
}

/** The same of receipts settled by hand, which the service follows in no other way. */
export function receiptsByHandInDoubt(
  core: Core,
  connection: Connection,
  invoices: readonly ErpInvoice[],
): Promise<ReceiptByHand[]> {
  return core.store.read(connection.tenantId, (tx) => receiptsByHandOfRisen(tx, connection, balancesOf(invoices)));
}

function balancesOf(invoices: readonly ErpInvoice[]): ReadBalance[] {
  return invoices.flatMap(({ erpInvoiceId, installments }) =>
    installments.map((part) => ({
      erp_invoice_id: erpInvoiceId,
      erp_installment_id: part.erpInstallmentId,
      outstanding: part.outstanding,
    })),
  );
}

/** Why such a receipt needs a person. */
export const REVERSED_BY_HAND =
  "The ERP has reversed this receipt, which was settled by hand. The ERP shows the debt as owed again; the customer is not asked for it until somebody has decided.";

/**
 * Takes in that the ERP reversed receipts that were settled by hand, before the balance that owes their money again is:
 * their payments count against it like those of every reversed receipt, until a person retries them or settles them anew.
 */
export function noteReversedByHand(
  core: Core,
  { tenantId }: Connection,
  receipts: readonly ReceiptByHand[],
): Promise<number> {
  return core.store.write(tenantId, async (tx) => {
    await lockChargeableCurrencies(tx, tenantId);
    const invoiceIds = [...new Set(receipts.map((receipt) => receipt.invoice_id))];
    await lockInvoices(tx, tenantId, invoiceIds);
    const moved = await reverseByHand(tx, tenantId, { receipts, why: REVERSED_BY_HAND });
    const reversed = moved.map((paymentId) => ({ paymentId, state: "reversed" as const }));
    await recordReceiptMoves(tx, core, tenantId, reversed);
    await recomputeInvoices(tx, core, tenantId, invoiceIds, { keepLinks: true });
    return moved.length;
  });
}

/**
 * Takes in how receipts were found, and derives their invoices' figures anew: applied since by the ERP or a person,
 * not applied any more, or reversed (service.md §3.3). One that the ERP does not show stays as it is: it may only be
 * hidden from the service's user; but in doubt no balance is taken to include it until it is shown as applied again.
 * Answers how many had moved.
 */
export function noteReceipts(
  core: Core,
  { tenantId, startedAt }: PulledConnection,
  { known, found, inDoubt }: Looked,
): Promise<number> {
  return core.store.write(tenantId, async (tx) => {
    const now = nowOf(core);
    // What the first look finds applied is in every balance that the run reads after it.
    const appliedAt = inDoubt ? now : new Date(Date.parse(startedAt) - 1).toISOString();
    await lockChargeableCurrencies(tx, tenantId);
    const invoiceIds = [...new Set(known.map((receipt) => receipt.invoice_id))];
    await lockInvoices(tx, tenantId, invoiceIds);
    const unmoved = await lockUnmoved(tx, tenantId, known);
    const looked = known
      .filter((receipt) => unmoved.has(receipt.payment_id))
      .map((receipt) => ({ receipt, state: found.get(receipt.erp_receipt_id)?.state }));
    const seen = looked.flatMap(({ receipt, state }) =>
      state === undefined || stands(receipt, state) ? [] : [{ receipt, move: movedTo(receipt, state, appliedAt) }],
    );
    const unseen = looked.flatMap(({ receipt, state }) =>
      inDoubt && state === undefined ? [{ receipt, move: notReflected(receipt) }] : [],
    );
    const moved = [...seen, ...unseen];
    await writeMoves(
      tx,
      tenantId,
      moved.map(({ move }) => move),
    );
    const undone = seen.flatMap(({ move: { payment_id: paymentId, erp_push_status: state } }) =>
      state === "reversed" || state === "posted" ? [{ paymentId, state }] : [],
    );
    await recordReceiptMoves(tx, core, tenantId, undone);
    const doubted = new Set(unseen.map(({ receipt }) => receipt));
    await writeLooks(
      tx,
      tenantId,
      looked.map(({ receipt, state = receipt.erp_push_status }) => ({
        payment_id: receipt.payment_id,
        // One that is in no balance until it is shown is looked for by the next run, before that reads any.
        next_look_at: doubted.has(receipt) ? now : nextLook(state, receipt, now),
      })),
    );
    await recomputeInvoices(
      tx,
      core,
      tenantId,
      moved.map(({ receipt }) => receipt.invoice_id),
      { keepLinks: true },
    );
    return seen.length;
  });
}

/** Whether a receipt is as the service has it already. */
const stands = ({ erp_push_status, applied_at }: KnownReceipt, state: ErpReceipt["state"]): boolean =>
  state === erp_push_status && (state !== "applied" || applied_at !== null);

/** Without a time it was applied at, no read of its invoice makes it reflected. */
function notReflected({ payment_id, erp_push_status }: KnownReceipt): MovedReceipt {
  return { payment_id, erp_push_status, erp_push_error: null, applied_at: null };
}

function movedTo({ payment_id }: KnownReceipt, state: ErpReceipt["state"], appliedAt: string): MovedReceipt {
  return {
    payment_id,
    erp_push_status: state,
    erp_push_error: state === "posted" ? PUSH_REASONS.taken_back : null,
    applied_at: state === "applied" ? appliedAt : null,
  };
}

function nextLook(state: ErpReceipt["state"], { applied_at }: KnownReceipt, now: string): string | null {
  if (state === "reversed") return null;
  if (state === "posted" || applied_at === null) return now;
  const age = Math.max(0, Date.parse(now) - Date.parse(applied_at));
  return new Date(Date.parse(now) + age * LATER).toISOString();
}
