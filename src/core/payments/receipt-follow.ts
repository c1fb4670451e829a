import type { ErpInvoice } from "../../gateways/erp/gateway.ts";
import type { ErpReceipt } from "../../gateways/erp/receipts.ts";
import { type Core, nowOf } from "../core.ts";
import { lockChargeableCurrencies, lockInvoices } from "../invoices/collection-queries.ts";
import { recomputeInvoices } from "../invoices/recompute.ts";
import { TAKEN_BACK } from "./push-outcome.ts";
import {
  hasReceipts,
  type KnownReceipt,
  lockUnmoved,
  type MovedReceipt,
  receiptsOfRisen,
  receiptsToFollow,
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

/** Receipts that the ERP has and may have moved: a posted one each time, an applied one the less often the older. */
export function dueReceipts(core: Core, connection: Connection): Promise<KnownReceipt[]> {
  const due = { now: nowOf(core), limit: LOOKS_AT_ONCE };
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
  const balances = invoices.flatMap(({ erpInvoiceId, installments }) =>
    installments.map((part) => ({
      erp_invoice_id: erpInvoiceId,
      erp_installment_id: part.erpInstallmentId,
      outstanding: part.outstanding,
    })),
  );
  return core.store.read(connection.tenantId, (tx) => receiptsOfRisen(tx, connection, balances));
}

/**
 * Takes in how receipts were found, and derives their invoices' figures anew: applied since by the ERP or a person,
 * not applied any more, or reversed (service.md §3.3). One that the ERP does not show stays as it is: it may only be
 * hidden from the service's user. Answers how many had moved.
 */
export function noteReceipts(
  core: Core,
  { tenantId, startedAt }: PulledConnection,
  known: readonly KnownReceipt[],
  found: ReadonlyMap<string, ErpReceipt>,
): Promise<number> {
  return core.store.write(tenantId, async (tx) => {
    const now = nowOf(core);
    await lockChargeableCurrencies(tx, tenantId);
    const invoiceIds = [...new Set(known.map((receipt) => receipt.invoice_id))];
    await lockInvoices(tx, tenantId, invoiceIds);
    const unmoved = await lockUnmoved(tx, tenantId, known);
    const looked = known.filter((receipt) => unmoved.has(receipt.payment_id));
    const moved = looked.flatMap((receipt) => {
      const state = found.get(receipt.erp_receipt_id)?.state;
      return state === undefined || state === receipt.erp_push_status ? [] : [{ receipt, state }];
    });
    await writeMoves(
      tx,
      tenantId,
      moved.map(({ receipt, state }) => movedTo(receipt, state, startedAt)),
    );
    const after = new Map(moved.map(({ receipt, state }) => [receipt.payment_id, state]));
    await writeLooks(
      tx,
      tenantId,
      looked.map((receipt) => ({
        payment_id: receipt.payment_id,
        push_next_attempt_at: nextLook(after.get(receipt.payment_id) ?? receipt.erp_push_status, receipt, now),
      })),
    );
    await recomputeInvoices(
      tx,
      tenantId,
      moved.map(({ receipt }) => receipt.invoice_id),
    );
    return moved.length;
  });
}

function movedTo({ payment_id }: KnownReceipt, state: ErpReceipt["state"], startedAt: string): MovedReceipt {
  // Looks that can find it newly applied come before the run reads anything: it is in every balance the run reads.
  const beforeTheRun = new Date(Date.parse(startedAt) - 1).toISOString();
  return {
    payment_id,
    erp_push_status: state,
    erp_push_error: state === "posted" ? TAKEN_BACK : null,
    applied_at: state === "applied" ? beforeTheRun : null,
  };
}

function nextLook(state: ErpReceipt["state"], { applied_at }: KnownReceipt, now: string): string | null {
  if (state === "reversed") return null;
  if (state === "posted" || applied_at === null) return now;
  const age = Math.max(0, Date.parse(now) - Date.parse(applied_at));
  return new Date(Date.parse(now) + age * LATER).toISOString();
}
