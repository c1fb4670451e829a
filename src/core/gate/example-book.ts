import type { z } from "zod";
import type { AgingSummary, CustomerAgingRow, InstallmentAgingRow } from "../aging/schema.ts";
import type { ErpConnection } from "../erp-connections/schema.ts";
import type { Installment, Invoice } from "../invoices/schema.ts";
import type { PaymentIntegration } from "../payment-integrations/schema.ts";
import type { PaymentLink } from "../payment-links/schema.ts";
import type { Payment } from "../payments/schema.ts";
import type { SyncRun } from "../sync-runs/schema.ts";
import type { Task } from "../tasks/schema.ts";
import type { Workflow, WorkflowExecution } from "../workflows/schema.ts";
import type { ApiContext } from "../workspace/schema.ts";

/**
 * The workspace that all examples show, as it was on 31 March 2026 in Berlin. Globex owes an invoice in two halves, of which
 * the first was paid through a link and the second is twelve days overdue, and one in dollars that falls due in a week.
 */
const MEMBER = "2c7e9f10-4b3a-4d5c-8e6f-7a8b9c0d1e2f";
const KEY = "6f5e4d3c-2b1a-4f0e-9d8c-7b6a59483726";

export const CONTEXT: z.input<typeof ApiContext> = {
  tenant_id: "5d0c2a34-1f7e-4b6b-8a90-3c2b1a0f9e8d",
  tenant_name: "Northwind Traders",
  api_key: {
    id: KEY,
    name: "Ledger export",
    permission: "admin",
    created_at: "2026-01-12T09:30:00.000Z",
    last_used_at: "2026-03-31T08:20:00.000Z",
  },
};

export const ERP_CONNECTION: z.input<typeof ErpConnection> = {
  id: "7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5",
  provider: "oracle_fusion",
  status: "connected",
  last_sync_at: "2026-03-31T06:00:12.000Z",
  last_successful_sync_at: "2026-03-31T06:00:12.000Z",
  auto_sync_enabled: true,
  auto_sync_interval_minutes: 60,
  pull_invoice_date_from: "2026-01-01",
  created_at: "2026-01-12T09:40:00.000Z",
};

export const SYNC_RUN: z.input<typeof SyncRun> = {
  id: "9e8d7c6b-5a49-4838-a726-15f4e3d2c1b0",
  connection_id: ERP_CONNECTION.id,
  trigger: "manual",
  status: "succeeded",
  started_at: "2026-03-31T06:00:04.000Z",
  finished_at: "2026-03-31T06:00:12.000Z",
  invoices_read: 2,
  invoices_created: 0,
  invoices_updated: 0,
  invoices_retired: 0,
  error: null,
};

const CUSTOMER: z.input<typeof Invoice>["customer"] = {
  id: "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
  number: "100482",
  name: "Globex GmbH",
  contact_name: "Ada Meyer",
  email: "billing@globex.example",
};

const OF_THE_ERP = {
  due_date: null,
  last_synced_at: "2026-03-31T06:00:09.000Z",
  customer: CUSTOMER,
  origin: "erp",
  connection_id: ERP_CONNECTION.id,
  has_active_payment_link: true,
} as const;

/** In two halves: the first paid, the second overdue. */
export const HALF_PAID: z.input<typeof Invoice> = {
  ...OF_THE_ERP,
  id: "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
  invoice_number: "INV-20417",
  currency: "EUR",
  total_amount: "2500.00",
  erp_invoice_open_balance: "1250.00",
  invoice_date: "2026-01-30",
  collection_due_date: "2026-03-19",
  collection_outstanding: "1250.00",
  amount_collected: "1250.00",
  erp_push_state: "applied",
  collection_status: "open",
  created_at: "2026-01-30T17:00:08.000Z",
  updated_at: "2026-03-05T10:00:07.000Z",
  payment_terms: "2 Installments",
};

export const HALVES: readonly z.input<typeof Installment>[] = [
  {
    id: "3d5f7a9c-1b2d-4e4f-8a6b-8c0d2e4f6a81",
    sequence_number: 1,
    due_date: "2026-02-28",
    original_amount: "1250.00",
    erp_installment_outstanding_amount: "0.00",
    collection_outstanding: "0.00",
    available_amount: "0.00",
    collectible: false,
    not_collectible_reason: "closed",
  },
  {
    id: "6b9d1c3e-2f4a-4e5b-8c7d-9a0b1c2d3e4f",
    sequence_number: 2,
    due_date: "2026-03-19",
    original_amount: "1250.00",
    erp_installment_outstanding_amount: "1250.00",
    collection_outstanding: "1250.00",
    // An active link asks for all of it.
    available_amount: "0.00",
    collectible: true,
    not_collectible_reason: null,
  },
];

/** In dollars, not due yet. */
export const NOT_DUE: z.input<typeof Invoice> = {
  ...OF_THE_ERP,
  id: "018f7d2a-3e4b-4f5c-a6d7-8e9f0a1b2c3d",
  invoice_number: "INV-20431",
  currency: "USD",
  total_amount: "480.00",
  erp_invoice_open_balance: "480.00",
  invoice_date: "2026-03-08",
  collection_due_date: "2026-04-07",
  collection_outstanding: "480.00",
  amount_collected: "0.00",
  erp_push_state: null,
  collection_status: "open",
  created_at: "2026-03-30T06:00:08.000Z",
  updated_at: "2026-03-30T06:00:08.000Z",
  payment_terms: "30 Net",
};
const NOT_DUE_INSTALLMENT = "8a0b2c4d-6e8f-4a1b-9c3d-5e7f9a0b1c2d";

export const INTEGRATION: z.input<typeof PaymentIntegration> = {
  id: "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7",
  provider: "stripe",
  status: "connected",
  currencies: ["EUR", "USD"],
  created_at: "2026-01-12T10:05:00.000Z",
  livemode: true,
};

export const WORKFLOW: z.input<typeof Workflow> = {
  id: "4f6a8c0e-2d4b-4c6a-8e0f-1a3b5c7d9e0f",
  type: "auto_generate",
  name: "Auto Generate",
  enabled: true,
  created_at: "2026-03-10T15:00:00.000Z",
  updated_at: "2026-03-10T15:00:00.000Z",
};

const [FIRST_HALF, SECOND_HALF] = HALVES.map(({ id }) => id);

/** Paid by the customer. */
export const PAID_LINK: z.input<typeof PaymentLink> = {
  id: "0d1e2f3a-4b5c-4d6e-8f70-8192a3b4c5d6",
  invoice_id: HALF_PAID.id,
  invoice_number: HALF_PAID.invoice_number,
  installment_id: FIRST_HALF ?? "",
  payment_integration_id: INTEGRATION.id,
  amount_minor: 125000,
  currency: "EUR",
  url: "https://buy.stripe.com/8wM5nX2aB",
  status: "paid",
  email: null,
  created_at: "2026-02-20T08:15:00.000Z",
  created_by: { kind: "member", id: MEMBER },
  paid_at: "2026-03-05T09:12:04.000Z",
  deactivated_at: null,
};

/** Made with the API key; whoever made it hands its address on. */
export const KEY_LINK: z.input<typeof PaymentLink> = {
  ...PAID_LINK,
  id: "1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b",
  installment_id: SECOND_HALF ?? "",
  url: "https://buy.stripe.com/3cI7sK9dE",
  status: "active",
  created_at: "2026-03-31T08:20:00.000Z",
  created_by: { kind: "api_key", id: KEY },
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
  email: { status: "scheduled", to: "billing@globex.example", send_at: "2026-04-01T07:00:00.000Z", sent_at: null },
  created_at: "2026-03-31T06:00:14.000Z",
  created_by: { kind: "workflow", id: WORKFLOW.id },
};

export const EXECUTION: z.input<typeof WorkflowExecution> = {
  id: "b5c6d7e8-f901-4a2b-8c3d-4e5f60718293",
  workflow_id: WORKFLOW.id,
  workflow_type: WORKFLOW.type,
  invoice_id: NOT_DUE.id,
  status: "succeeded",
  outcome: "link_created",
  reason: null,
  started_at: "2026-03-31T06:00:13.000Z",
  finished_at: "2026-03-31T06:00:15.000Z",
};

/** Of the paid link. */
export const PAYMENT: z.input<typeof Payment> = {
  id: "018f9a40-2b6d-7c11-8e5f-3a9b0c1d2e3f",
  invoice_id: PAID_LINK.invoice_id,
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

/** Got its first link from the member who was notified. */
export const TASK: z.input<typeof Task> = {
  id: "d7e8f9a0-b1c2-4d3e-9f40-5a6b7c8d9e0f",
  type: "payment_arrangement",
  invoice_id: HALF_PAID.id,
  invoice_number: HALF_PAID.invoice_number,
  assignee_id: MEMBER,
  state: "configured",
  configured_at: PAID_LINK.created_at,
  dismissed_at: null,
  created_at: "2026-01-30T17:00:09.000Z",
};

type Totals = z.input<typeof AgingSummary>["totals"][number];

const NOTHING = { current: "0.00", days_1_30: "0.00", days_31_60: "0.00", days_61_90: "0.00", over_90: "0.00" };
const EUR: Totals = { currency: "EUR", outstanding: "1250.00", overdue: "1250.00", ...NOTHING, days_1_30: "1250.00" };
const USD: Totals = { currency: "USD", outstanding: "480.00", overdue: "0.00", ...NOTHING, current: "480.00" };

export const AGING: z.input<typeof AgingSummary> = {
  report_date: "2026-03-31",
  timezone: "Europe/Berlin",
  generated_at: "2026-03-31T08:30:00.000Z",
  balance_basis: "finero_reconciled_current",
  revision: "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
  currencies: ["EUR", "USD"],
  data_updated_at: "2026-03-30T06:00:08.000Z",
  totals: [EUR, USD],
};

const OF_CUSTOMER = {
  customer_key: CUSTOMER.id ?? "",
  customer_id: CUSTOMER.id,
  customer_name: CUSTOMER.name ?? "",
  customer_number: CUSTOMER.number,
};

export const CUSTOMER_ROWS: readonly z.input<typeof CustomerAgingRow>[] = [EUR, USD].map((amounts) => ({
  ...OF_CUSTOMER,
  ...amounts,
  invoice_count: 1,
  installment_count: 1,
}));

export const INSTALLMENT_ROWS: readonly z.input<typeof InstallmentAgingRow>[] = [
  {
    ...OF_CUSTOMER,
    invoice_id: HALF_PAID.id,
    invoice_number: "INV-20417",
    installment_id: SECOND_HALF ?? null,
    sequence_number: 2,
    invoice_installment_count: 2,
    amount: "1250.00",
    currency: "EUR",
    due_date: "2026-03-19",
    days_overdue: 12,
    bucket: "days_1_30",
    collectible: true,
  },
  {
    ...OF_CUSTOMER,
    invoice_id: NOT_DUE.id,
    invoice_number: "INV-20431",
    installment_id: NOT_DUE_INSTALLMENT,
    sequence_number: 1,
    invoice_installment_count: 1,
    amount: "480.00",
    currency: "USD",
    due_date: "2026-04-07",
    days_overdue: -7,
    bucket: "current",
    collectible: true,
  },
];

/** A whole list on one page. */
export function examplePage<T>(...data: readonly T[]) {
  return { data: [...data], pagination: { next_cursor: null, has_more: false, limit: 25, total_count: data.length } };
}

/** The same of an aging report. */
export function exampleAgingPage<T>(data: readonly T[]) {
  return { ...AGING, data: [...data], pagination: { total_count: data.length, limit: 50, next_cursor: null } };
}

/** What the link of the API key was asked for by. */
export const ASKED_LINK = {
  invoice_id: KEY_LINK.invoice_id,
  installment_id: KEY_LINK.installment_id,
  amount_minor: KEY_LINK.amount_minor,
};

export const MOVED_TO = "2026-04-02T07:00:00.000Z";
export const SCHEDULED_EMAIL = { to: "billing@globex.example", send_at: "2026-04-01T07:00:00.000Z", sent_at: null };
