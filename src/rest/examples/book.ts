import type { z } from "zod";
import type { ErpConnection } from "../../core/erp-access/schema.ts";
import type { Installment, Invoice } from "../../core/invoices/schema.ts";
import type { PaymentIntegration } from "../../core/provider-access/schema.ts";
import type { SyncRun } from "../../core/sync-runs/schema.ts";
import type { Task } from "../../core/tasks/schema.ts";
import type { Workflow, WorkflowExecution } from "../../core/workflows/schema.ts";
import type { ApiContext } from "../../core/workspace/schema.ts";

/**
 * The workspace that all examples show, as it was on 31 March 2026 in Berlin. Globex owes an invoice in two halves, of which
 * the first was paid through a link and the second is twelve days overdue, and one in dollars that falls due in a week.
 */
export const MEMBER = "2c7e9f10-4b3a-4d5c-8e6f-7a8b9c0d1e2f";
export const KEY = "6f5e4d3c-2b1a-4f0e-9d8c-7b6a59483726";

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
  invoices_set_aside: 0,
  error: null,
};

export const EXAMPLE_CUSTOMER: z.input<typeof Invoice>["customer"] = {
  id: "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
  number: "100482",
  name: "Globex GmbH",
  contact_name: "Ada Meyer",
  email: "billing@globex.example",
};

const OF_THE_ERP = {
  due_date: null,
  last_synced_at: "2026-03-31T06:00:09.000Z",
  customer: EXAMPLE_CUSTOMER,
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
  overdue_outstanding: "1250.00",
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
  overdue_outstanding: "0.00",
  amount_collected: "0.00",
  erp_push_state: null,
  collection_status: "open",
  created_at: "2026-03-30T06:00:08.000Z",
  updated_at: "2026-03-30T06:00:08.000Z",
  payment_terms: "30 Net",
};
export const NOT_DUE_INSTALLMENT = "8a0b2c4d-6e8f-4a1b-9c3d-5e7f9a0b1c2d";

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

export const [FIRST_HALF, SECOND_HALF] = HALVES.map(({ id }) => id);

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

/** Got its first link from the member who was notified. */
export const TASK: z.input<typeof Task> = {
  id: "d7e8f9a0-b1c2-4d3e-9f40-5a6b7c8d9e0f",
  type: "payment_arrangement",
  invoice_id: HALF_PAID.id,
  invoice_number: HALF_PAID.invoice_number,
  customer_name: HALF_PAID.customer.name,
  currency: HALF_PAID.currency,
  collection_outstanding: HALF_PAID.collection_outstanding,
  assignee_id: MEMBER,
  assignee_name: "Lena Brandt",
  state: "configured",
  configured_at: "2026-02-20T08:15:00.000Z",
  dismissed_at: null,
  created_at: "2026-01-30T17:00:09.000Z",
};

/** A whole list on one page. */
export function examplePage<T>(...data: readonly T[]) {
  return { data: [...data], pagination: { next_cursor: null, has_more: false, limit: 25, total_count: data.length } };
}
