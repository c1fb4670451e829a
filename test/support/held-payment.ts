import { createPaymentLink } from "../../src/core/payment-links/operations/create-links.ts";
import { type CollectingApp, type CollectingBook, callOnce } from "./collecting.ts";

/** The last event of a payment of 100.00, which Stripe has not told yet. */
export async function heldPayment(app: CollectingApp, book: CollectingBook) {
  const { invoice, installments } = await book.owing("100.00");
  const asked = { invoice_id: invoice.invoice_id, installment_id: installments[0]?.installment_id };
  const link = await callOnce(app.core, createPaymentLink, book.admin, asked);
  const { events } = await app.stripe.pay(link.id, { hold: true });
  const last = events.at(-1);
  if (last === undefined) throw new Error("a payment makes events");
  return last;
}
