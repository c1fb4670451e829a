import type { z } from "zod";
import type { Payment } from "../../core/payments/schema.ts";
import { customerHeading, el, invoiceLine, listRow, quiet } from "./dom.ts";
import { figure, instant, minorFigure } from "./figures.ts";
import { PUSH_STATES } from "./words.ts";

/** A payment: its customer, its time, and the state of its receipt; `customer` replaces the name. */
export function paymentItem(payment: Partial<z.output<typeof Payment>>, customer?: HTMLElement | null): HTMLElement {
  const { amount, currency, paid_at: paid, erp_push_status: status, refunded_minor: refunded = 0 } = payment;
  const { erp_receipt_number: receipt } = payment;
  const who = customerHeading(payment.customer?.name ?? payment.customer?.number);
  return listRow(
    [
      customer === undefined ? el("strong", {}, who) : customer,
      invoiceLine(payment.invoice_number),
      paid && quiet("paid ", instant(paid)),
      status &&
        el(
          "p",
          { class: status === "failed" ? "problem" : "quiet" },
          PUSH_STATES[status],
          receipt && [", ", el("bdi", {}, receipt)],
        ),
      payment.disputed === true && el("p", { class: "waits" }, "Disputed by the customer"),
    ],
    [amount && figure(amount, currency), refunded > 0 && quiet("refunded ", minorFigure(refunded, currency))],
  );
}
