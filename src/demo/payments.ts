import type { Actor } from "../core/gate/actor.ts";
import type { Core } from "../core/gate/dependencies.ts";
import { money, toMinor } from "../core/kernel/money.ts";
import { pushHeldPayments } from "../core/payments/operations/push-held-payments.ts";
import { erpGateway } from "../gateways/erp/index.ts";
import { pushReceipts } from "../jobs/push-receipts.ts";
import type { ControlInput, FusionItem } from "../simulators/fusion/index.ts";
import { assistantOf, systemOf } from "./actors.ts";
import { type DemoPayment, postponePushes, selectDemoInvoice, selectDemoPayments } from "./collecting-queries.ts";
import type { DemoErpSite } from "./erp.ts";
import { halfOf } from "./ledger.ts";
import { invoiceOf, payInvoice, requestFor } from "./links.ts";
import { type Scene, stopOnceHanging, type Tell } from "./scene.ts";

/** The connector looks for a receipt before it creates one. */
const CREATION = { resource: "standardReceipts", answered: 1 } as const;

/** The requests of the connector that fail, for each outcome of a push. */
const FAULTS = {
  applied: { mode: "ok" },
  failed: { mode: "403", resource: "standardReceipts", method: "POST" },
  processing: { mode: "hang", resource: CREATION.resource, after: CREATION.answered },
  posted: { mode: "404", action: "applyReceipt" },
} as const satisfies Record<string, ControlInput>;

/**
 * Customers pay, some invoices whole and one by half, and the ERP takes the receipts or does not: one of each state at
 * least. Each is a step, for receipts are pushed as they come.
 */
export function everyPayment(siteKey: string): Readonly<Record<string, Tell>> {
  return {
    "receipt failed": pays(siteKey, one(0), pushed("failed")),
    "receipt processing": pays(siteKey, one(1), pushed("processing")),
    "receipt posted": pays(siteKey, one(2), pushed("posted")),
    "receipts applied": pays(siteKey, settledOnes, inBooks("Applied")),
    "receipt reversed": pays(siteKey, one(3), inBooks("REV")),
    "receipt pending": pays(siteKey, one(4), waiting("queued")),
    "receipt held": pays(siteKey, one(5), waiting("unchanged")),
  };
}

/** What a company sees in a month: receipts that the ERP took, and one that failed. */
export function usualPayments(siteKey: string): Readonly<Record<string, Tell>> {
  return {
    "receipt failed": pays(siteKey, one(0), pushed("failed")),
    "receipts applied": pays(siteKey, settledOnes, inBooks("Applied")),
  };
}

/** Two payments whose receipts wait for somebody, where the ERP connection holds them. */
export function paymentsOnHold(siteKey: string): Tell {
  return pays(siteKey, ({ book: { roles } }) => roles.paid.slice(1, 3), waiting("unchanged"));
}

type Chosen = (site: DemoErpSite) => readonly string[];

const one =
  (index: number): Chosen =>
  ({ book: { roles } }) =>
    roles.paid.slice(index, index + 1);
const settledOnes: Chosen = ({ book: { roles } }) => [...roles.settled, roles.halfSettled];

/** Some invoices are paid, and `then` something is done with their receipts. */
function pays(siteKey: string, which: Chosen, then: After): Tell {
  return async (scene) => {
    const site = scene.site(siteKey);
    const erpInvoiceIds = which(site);
    const [system, assistant] = [await systemOf(scene), await assistantOf(scene)];
    for (const [index, id] of erpInvoiceIds.entries())
      await pay(scene, id, index % 2 === 0 ? system : assistant, id === site.book.roles.halfSettled);
    await then({ scene, site, erpInvoiceIds, by: assistant });
  };
}

interface Paid {
  readonly scene: Scene;
  readonly site: DemoErpSite;
  readonly erpInvoiceIds: readonly string[];
  readonly by: Actor;
}

type After = (paid: Paid) => Promise<void>;

async function pay(scene: Scene, erpInvoiceId: string, by: Actor, isHalf: boolean): Promise<void> {
  const invoice = await invoiceOf(scene, erpInvoiceId);
  if (invoice === undefined) return;
  const half = toMinor(money(halfOf(invoice.total_amount ?? "0")), invoice.currency ?? "");
  await payInvoice(scene, invoice, by, isHalf && half !== undefined ? Number(half) : undefined);
}

/** The receipts are pushed; their invoices stay open in the ERP. */
function pushed(fate: keyof typeof FAULTS): After {
  return async (paid) => {
    const { scene, site, erpInvoiceIds } = paid;
    await release(paid);
    site.turnTo(scene.daysAgo);
    site.simulator.control(FAULTS[fate]);
    const giveUp = new AbortController();
    const watch = fate === "processing" ? stopOnceHanging(site, giveUp, CREATION) : undefined;
    await pushReceipts(scene.core, erpGateway, { giveUp: giveUp.signal });
    clearInterval(watch);
    site.simulator.control(FAULTS.applied);
    if (fate !== "applied") await postpone(scene, erpInvoiceIds);
  };
}

/** The receipt of a payment in the ERP, if it has one. */
function receiptOf(payment: DemoPayment, state: "Applied" | "Unapplied" | "REV"): FusionItem[] {
  const { amount, currency, erp_receipt_id: id, erp_receipt_number: number } = payment;
  if (id === null) return [];
  const item = {
    StandardReceiptId: BigInt(id),
    ReceiptNumber: number,
    Amount: JSON.rawJSON(amount),
    Currency: currency,
    UnappliedAmount: state === "Unapplied" ? JSON.rawJSON(amount) : JSON.rawJSON("0"),
    State: state,
    Status: state === "REV" ? "Reversed" : "Confirmed",
  };
  return [item];
}

/** Restores the receipts of an ERP simulator after a restart. */
export async function restoreReceipts(core: Core, tenantId: string, { book, simulator }: DemoErpSite): Promise<void> {
  const ids = book.ledgerAt(0).invoices.map((item) => String(item.CustomerTransactionId));
  const known = await core.store.read(tenantId, (tx) => selectDemoPayments(tx, tenantId, ids));
  const states = { applied: "Applied", reversed: "REV" } as const;
  for (const payment of known) {
    const { erp_push_status: status } = payment;
    const state = status === "applied" || status === "reversed" ? states[status] : "Unapplied";
    simulator.putReceipts(...receiptOf(payment, state));
  }
}

/** The receipts are pushed, and show in the ERP's books from then on as applied, or as undone. */
function inBooks(state: "Applied" | "REV"): After {
  return async (paid) => {
    await pushed("applied")(paid);
    paid.site.simulator.putReceipts(...(await paymentsOf(paid)).flatMap((payment) => receiptOf(payment, state)));
  };
}

/** Postpones pushes, so that there are receipts in a waiting state: the jobs would push them at once. */
function waiting(how: "queued" | "unchanged"): After {
  return async (paid) => {
    if (how === "queued") await release(paid);
    await postpone(paid.scene, paid.erpInvoiceIds);
  };
}

/** Queues the receipts although the connection holds them. */
async function release(paid: Paid): Promise<void> {
  const { scene, by, erpInvoiceIds } = paid;
  const held = (await paymentsOf(paid)).filter(({ erp_push_status: status }) => status === "held");
  const asked = { payment_ids: held.map(({ payment_id: id }) => id) };
  if (held.length > 0) await pushHeldPayments.call(by, asked, requestFor(scene, `push ${erpInvoiceIds.join(" ")}`));
}

async function postpone(scene: Scene, erpInvoiceIds: readonly string[]): Promise<void> {
  const { core, tenantId } = scene;
  await core.store.write(tenantId, async (tx) => {
    const payments = await selectDemoPayments(tx, tenantId, erpInvoiceIds);
    const waits = payments.filter(({ erp_push_status: status }) => status !== "posted");
    await postponePushes(
      tx,
      tenantId,
      waits.map(({ payment_id: id }) => id),
    );
  });
}

function paymentsOf({ scene: { core, tenantId }, erpInvoiceIds }: Paid): Promise<DemoPayment[]> {
  return core.store.read(tenantId, (tx) => selectDemoPayments(tx, tenantId, erpInvoiceIds));
}

/** A bill of the service's own is paid: there is no ERP to tell. */
export function payLocalBill(number: string): Tell {
  return async (scene) => {
    const { core, tenantId } = scene;
    const invoice = await core.store.read(tenantId, (tx) => selectDemoInvoice(tx, tenantId, "invoice_number", number));
    if (invoice !== undefined) await payInvoice(scene, invoice, await systemOf(scene));
  };
}
