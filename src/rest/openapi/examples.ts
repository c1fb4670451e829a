import type { Route } from "../routes.ts";
import {
  AGING,
  CONNECTION,
  CONTEXT,
  CUSTOMER_ROWS,
  EXECUTION,
  HALF_PAID,
  HALVES,
  INSTALLMENT_ROWS,
  INTEGRATION,
  KEY_LINK,
  MAILED_LINK,
  NOT_DUE,
  PAID_LINK,
  PAYMENT,
  SYNC_RUN,
  TASK,
  WORKFLOW,
} from "./example-book.ts";
import type { Schema } from "./schemas.ts";

const CURSOR = "q1s9Lm0c2VhbGVkX2N1cnNvcg";
const MOVED_TO = "2026-04-02T07:00:00.000Z";
const SCHEDULED = { to: "billing@globex.example", send_at: "2026-04-01T07:00:00.000Z", sent_at: null };

/** A whole list on one page. */
function page(...data: readonly object[]): object {
  return { data, pagination: { next_cursor: null, has_more: false, limit: 25, total_count: data.length } };
}

function agingPage(data: readonly object[]): object {
  return { ...AGING, data, pagination: { total_count: data.length, limit: 50, next_cursor: null } };
}

/** By operationId: what each answers, in one workspace whose sums, states and dates agree. */
const ANSWERS: Readonly<Record<string, object>> = {
  getApiContext: CONTEXT,
  listInvoices: page(NOT_DUE, HALF_PAID),
  getInvoice: { ...HALF_PAID, installments: HALVES },
  listPaymentLinks: page(KEY_LINK, MAILED_LINK, PAID_LINK),
  createPaymentLink: KEY_LINK,
  createPaymentLinks: { data: [KEY_LINK] },
  getPaymentLink: PAID_LINK,
  deactivatePaymentLink: { ...KEY_LINK, status: "deactivated", deactivated_at: "2026-03-31T08:40:00.000Z" },
  reschedulePaymentLinkEmail: { ...MAILED_LINK, email: { ...SCHEDULED, status: "scheduled", send_at: MOVED_TO } },
  cancelPaymentLinkEmail: { ...MAILED_LINK, email: { ...SCHEDULED, status: "cancelled" } },
  listPayments: page(PAYMENT),
  pushHeldPayments: { data: [{ payment_id: PAYMENT.id, erp_push_status: "pending" }] },
  listPaymentIntegrations: page(INTEGRATION),
  listErpConnections: page(CONNECTION),
  startErpSync: { sync_run_id: SYNC_RUN.id, status: "running" },
  setErpSyncSchedule: CONNECTION,
  setPaymentPushMode: { connection_id: CONNECTION.id, mode: "automatic" },
  listSyncRuns: page(SYNC_RUN),
  getSyncRun: SYNC_RUN,
  listTasks: page(TASK),
  dismissTask: { ok: true },
  listWorkflows: page(WORKFLOW),
  listWorkflowExecutions: page(EXECUTION),
  summarizeAging: AGING,
  listCustomerAging: agingPage(CUSTOMER_ROWS),
  listAgingInstallments: agingPage(INSTALLMENT_ROWS),
};

const ASKED = {
  invoice_id: KEY_LINK.invoice_id,
  installment_id: KEY_LINK.installment_id,
  amount_minor: KEY_LINK.amount_minor,
};

/** The bodies behind those answers. */
const BODIES: Readonly<Record<string, object>> = {
  createPaymentLink: ASKED,
  createPaymentLinks: { links: [ASKED] },
  reschedulePaymentLinkEmail: { send_at: MOVED_TO },
  pushHeldPayments: { connection_id: CONNECTION.id },
  setErpSyncSchedule: { interval_minutes: 60, enabled: true },
  setPaymentPushMode: { mode: "automatic" },
};

/** The ids in their paths; an operation that reads one thing is asked for the one that its answer shows. */
const PATH_IDS: Readonly<Record<string, string>> = {
  invoiceId: HALF_PAID.id,
  connectionId: CONNECTION.id,
  syncRunId: SYNC_RUN.id,
  taskId: TASK.id,
};
const LINK_IDS: Readonly<Record<string, string>> = {
  getPaymentLink: PAID_LINK.id,
  deactivatePaymentLink: KEY_LINK.id,
  reschedulePaymentLinkEmail: MAILED_LINK.id,
  cancelPaymentLinkEmail: MAILED_LINK.id,
};

const FILTERS: Readonly<Record<string, unknown>> = {
  collection_status: HALF_PAID.collection_status,
  currency: HALF_PAID.currency,
  invoice_number: HALF_PAID.invoice_number,
  connection_id: CONNECTION.id,
  updated_since: "2026-03-01T00:00:00.000Z",
  confirmed_since: "2026-03-01T00:00:00.000Z",
  customer_id: HALF_PAID.customer.id,
  erp_push_state: HALF_PAID.erp_push_state,
  erp_push_status: PAYMENT.erp_push_status,
  has_active_payment_link: true,
  due_before: AGING.report_date,
  due_after: "2026-03-01",
  invoice_id: HALF_PAID.id,
  installment_id: HALVES[1]?.id,
  state: TASK.state,
  enabled: WORKFLOW.enabled,
  workflow_id: WORKFLOW.id,
  search: "globex",
  customer_key: CUSTOMER_ROWS[0]?.customer_key,
  bucket: "days_1_30",
  overdue_only: true,
  sort: "overdue_desc",
  order: "desc",
  include_total: true,
  cursor: CURSOR,
};
/** Filters of one name and several kinds. */
const OWN_FILTERS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  listPaymentLinks: { status: KEY_LINK.status },
  listSyncRuns: { status: SYNC_RUN.status },
  listTasks: { type: TASK.type },
  listWorkflows: { type: WORKFLOW.type },
  listWorkflowExecutions: { status: EXECUTION.status, invoice_id: EXECUTION.invoice_id },
};

type Named = Pick<Route["operation"], "id">;

/** An example of what an operation answers, or takes as its body; undefined where nobody wrote one. */
export const exampleAnswer = ({ id }: Named): object | undefined => ANSWERS[id];
export const exampleBody = ({ id }: Named): object | undefined => BODIES[id];

/** An example of a parameter; undefined where nobody wrote one. */
export function exampleParameter({ id }: Named, name: string, schema: Schema): unknown {
  if (name === "paymentLinkId") return LINK_IDS[id];
  return PATH_IDS[name] ?? OWN_FILTERS[id]?.[name] ?? FILTERS[name] ?? schema.default;
}
