import type { Actor, CallRequest } from "../core/gate/operation.ts";
import { createPaymentLink } from "../core/payment-links/operations/create-links.ts";
import { decideInSandbox } from "../core/payments/events/sandbox-payment.ts";
import { type DemoInvoice, selectDemoInvoice } from "./collecting-queries.ts";
import type { Scene } from "./scene.ts";

/** The invoice of an ERP id; undefined while nobody has delivered it. */
export function invoiceOf({ core, tenantId }: Scene, erpInvoiceId: string): Promise<DemoInvoice | undefined> {
  return core.store.read(tenantId, (tx) => selectDemoInvoice(tx, tenantId, "erp_invoice_id", erpInvoiceId));
}

/** The idempotency key of a step, so that repeating it is safe. */
export function requestFor({ core }: Scene, what: string): CallRequest {
  return { core, requestId: core.newId(), idempotencyKey: `demo ${what}` };
}

/** Somebody makes a link for an invoice's first installment: for all that is available, where no amount is said. */
export async function makeLink(
  scene: Scene,
  { invoice_id: invoiceId, installment_id: installmentId }: DemoInvoice,
  by: Actor,
  amountMinor?: number,
): Promise<string> {
  const amount = amountMinor === undefined ? {} : { amount_minor: amountMinor };
  const asked = { invoice_id: invoiceId, installment_id: installmentId, ...amount };
  const { url } = await createPaymentLink.call(by, asked, requestFor(scene, `link ${invoiceId}`));
  return url;
}

/** The customer pays at a link's page. */
function payAt({ core }: Scene, url: string): Promise<void> {
  return decideInSandbox(core, url.slice(url.lastIndexOf("/") + 1), "payment_confirmed");
}

/** An invoice is paid, once: through the link it has, or one that is made for it. */
export async function payInvoice(scene: Scene, invoice: DemoInvoice, by: Actor, amountMinor?: number): Promise<void> {
  if (invoice.has_payment) return;
  await payAt(scene, invoice.url ?? (await makeLink(scene, invoice, by, amountMinor)));
}
