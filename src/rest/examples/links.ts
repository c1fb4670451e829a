import type { z } from "zod";
import type { PaymentLink } from "../../core/payment-links/schema.ts";
import type { Payment } from "../../core/payments/schema.ts";
import {
  CONTEXT,
  EXAMPLE_CUSTOMER,
  FIRST_HALF,
  HALF_PAID,
  INTEGRATION,
  KEY,
  MEMBER,
  NOT_DUE,
  NOT_DUE_INSTALLMENT,
  SECOND_HALF,
  WORKFLOW,
} from "./book.ts";

/** Paid by the customer. */
export const PAID_LINK: z.input<typeof PaymentLink> = {
  id: "0d1e2f3a-4b5c-4d6e-8f70-8192a3b4c5d6",
  invoice_id: HALF_PAID.id,
  invoice_number: HALF_PAID.invoice_number,
  customer_name: HALF_PAID.customer.name,
  installment_id: FIRST_HALF ?? "",
  payment_integration_id: INTEGRATION.id,
  amount_minor: 125000,
  currency: "EUR",
  url: "https://buy.stripe.com/8wM5nX2aB",
  status: "paid",
  email: null,
  created_at: "2026-02-20T08:15:00.000Z",
  created_by: { kind: "member", id: MEMBER, name: "Lena Brandt" },
  paid_at: "2026-03-05T09:12:04.000Z",
  deactivated_at: null,
};

/** Made with the API key; its holder passes the address on. */
export const KEY_LINK: z.input<typeof PaymentLink> = {
  ...PAID_LINK,
  id: "1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b",
  installment_id: SECOND_HALF ?? "",
  url: "https://buy.stripe.com/3cI7sK9dE",
  status: "active",
  created_at: "2026-03-31T08:20:00.000Z",
  created_by: { kind: "api_key", id: KEY, name: CONTEXT.api_key.name },
  paid_at: null,
};

/** Made by the workflow, which mails it. */
export const MAILED_LINK: z.input<typeof PaymentLink> = {
  ...KEY_LINK,
  id: "2a4c6e80-1b3d-4f5a-9c7e-0d2f4a6b8c1e",
  invoice_id: NOT_DUE.id,
  invoice_number: NOT_DUE.invoice_number,
  installment_id: NOT_DUE_INSTALLMENT,
  amount_minor: 48000,
  currency: "USD",
  url: "https://buy.stripe.com/5kQ2wR7fG",
  email: {
    ...{ status: "scheduled", to: "billing@globex.example", send_at: "2026-04-01T07:00:00.000Z" },
    ...{ sent_at: null, error: null },
  },
  created_at: "2026-03-31T06:00:14.000Z",
  created_by: { kind: "workflow", id: WORKFLOW.id, name: WORKFLOW.name },
};

/** Of the paid link. */
export const PAYMENT: z.input<typeof Payment> = {
  id: "018f9a40-2b6d-7c11-8e5f-3a9b0c1d2e3f",
  invoice_id: PAID_LINK.invoice_id,
  invoice_number: PAID_LINK.invoice_number,
  customer: { id: EXAMPLE_CUSTOMER.id, number: EXAMPLE_CUSTOMER.number, name: EXAMPLE_CUSTOMER.name },
  installment_id: PAID_LINK.installment_id,
  payment_link_id: PAID_LINK.id,
  amount_minor: PAID_LINK.amount_minor,
  currency: PAID_LINK.currency,
  amount: "1250.00",
  confirmed_at: "2026-03-05T09:12:06.000Z",
  erp_push_status: "applied",
  erp_push_error: null,
  erp_receipt_number: "PAY-01HYD40AVDFG8RWQSTKC61TBHZ",
  created_at: "2026-03-05T09:12:06.000Z",
  paid_at: "2026-03-05T09:12:04.000Z",
  refunded_minor: 0,
  disputed: false,
};

/** The request for the API key's link. */
export const ASKED_LINK = {
  invoice_id: KEY_LINK.invoice_id,
  installment_id: KEY_LINK.installment_id,
  amount_minor: KEY_LINK.amount_minor,
};

export const MOVED_TO = "2026-04-02T07:00:00.000Z";
export const SCHEDULED_EMAIL = {
  ...{ to: "billing@globex.example", send_at: "2026-04-01T07:00:00.000Z" },
  ...{ sent_at: null, error: null },
};
