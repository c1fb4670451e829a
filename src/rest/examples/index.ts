import type { z } from "zod";
import { listAgingInstallments } from "../../core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../core/aging/operations/summarize-aging.ts";
import { listErpConnections } from "../../core/erp-connections/operations/list-erp-connections.ts";
import { setErpSyncSchedule } from "../../core/erp-connections/operations/set-erp-sync-schedule.ts";
import { setPaymentPushMode } from "../../core/erp-connections/operations/set-payment-push-mode.ts";
import { getInvoice } from "../../core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../core/invoices/operations/list-invoices.ts";
import { listPaymentIntegrations } from "../../core/payment-integrations/operations/list-payment-integrations.ts";
import { cancelPaymentLinkEmail } from "../../core/payment-links/operations/cancel-payment-link-email.ts";
import { createPaymentLink } from "../../core/payment-links/operations/create-payment-link.ts";
import { createPaymentLinks } from "../../core/payment-links/operations/create-payment-links.ts";
import { deactivatePaymentLink } from "../../core/payment-links/operations/deactivate-payment-link.ts";
import { getPaymentLink } from "../../core/payment-links/operations/get-payment-link.ts";
import { listPaymentLinks } from "../../core/payment-links/operations/list-payment-links.ts";
import { reschedulePaymentLinkEmail } from "../../core/payment-links/operations/reschedule-payment-link-email.ts";
import { listPayments } from "../../core/payments/operations/list-payments.ts";
import { pushHeldPayments } from "../../core/payments/operations/push-held-payments.ts";
import { getSyncRun } from "../../core/sync-runs/operations/get-sync-run.ts";
import { listSyncRuns } from "../../core/sync-runs/operations/list-sync-runs.ts";
import { startErpSync } from "../../core/sync-runs/operations/start-erp-sync.ts";
import { dismissTask } from "../../core/tasks/operations/dismiss-task.ts";
import { listTasks } from "../../core/tasks/operations/list-tasks.ts";
import { listWorkflowExecutions } from "../../core/workflows/operations/list-workflow-executions.ts";
import { listWorkflows } from "../../core/workflows/operations/list-workflows.ts";
import { getApiContext } from "../../core/workspace/operations/get-api-context.ts";
import { AGING, CUSTOMER_ROWS, exampleAgingPage, INSTALLMENT_ROWS } from "./aging.ts";
import {
  CONTEXT,
  ERP_CONNECTION,
  EXECUTION,
  examplePage,
  HALF_PAID,
  HALVES,
  INTEGRATION,
  NOT_DUE,
  SYNC_RUN,
  TASK,
  WORKFLOW,
} from "./book.ts";
import { ASKED_LINK, KEY_LINK, MAILED_LINK, MOVED_TO, PAID_LINK, PAYMENT, SCHEDULED_EMAIL } from "./links.ts";

/** An example call: its answer, its body, and path or query parameters. */
interface Example<Answer extends object = object> {
  readonly answer: Answer;
  readonly body?: object;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** An example of an operation; its types hold the answer to the operation's. */
const of = <O extends z.ZodType>(
  { id }: { readonly id: string; readonly output: O },
  example: Example<z.input<O> & object>,
) => [id, example] as const;

/** An example call of each operation that has a route, by its id, in the one workspace that all examples show (./book.ts). */
export const EXAMPLES: ReadonlyMap<string, Example> = new Map<string, Example>([
  of(listAgingInstallments, { answer: exampleAgingPage(INSTALLMENT_ROWS) }),
  of(listCustomerAging, { answer: exampleAgingPage(CUSTOMER_ROWS) }),
  of(summarizeAging, { answer: AGING }),
  of(listErpConnections, { answer: examplePage(ERP_CONNECTION) }),
  of(setErpSyncSchedule, { answer: ERP_CONNECTION, body: { interval_minutes: 60, enabled: true } }),
  of(setPaymentPushMode, {
    answer: { connection_id: ERP_CONNECTION.id, mode: "automatic" },
    body: { mode: "automatic" },
  }),
  of(getInvoice, { answer: { ...HALF_PAID, installments: [...HALVES], voided_at: null, settled_elsewhere: [] } }),
  of(listInvoices, { answer: examplePage(NOT_DUE, HALF_PAID) }),
  of(listPaymentIntegrations, { answer: examplePage(INTEGRATION) }),
  of(cancelPaymentLinkEmail, {
    answer: { ...MAILED_LINK, email: { ...SCHEDULED_EMAIL, status: "cancelled" } },
    parameters: { paymentLinkId: MAILED_LINK.id },
  }),
  of(createPaymentLink, { answer: KEY_LINK, body: ASKED_LINK }),
  of(createPaymentLinks, { answer: { data: [KEY_LINK] }, body: { links: [ASKED_LINK] } }),
  of(deactivatePaymentLink, {
    answer: { ...KEY_LINK, status: "deactivated", deactivated_at: "2026-03-31T08:40:00.000Z" },
    parameters: { paymentLinkId: KEY_LINK.id },
  }),
  of(getPaymentLink, { answer: PAID_LINK, parameters: { paymentLinkId: PAID_LINK.id } }),
  of(listPaymentLinks, {
    answer: examplePage(KEY_LINK, MAILED_LINK, PAID_LINK),
    parameters: { status: KEY_LINK.status },
  }),
  of(reschedulePaymentLinkEmail, {
    answer: { ...MAILED_LINK, email: { ...SCHEDULED_EMAIL, status: "scheduled", send_at: MOVED_TO } },
    body: { send_at: MOVED_TO },
    parameters: { paymentLinkId: MAILED_LINK.id },
  }),
  of(listPayments, { answer: examplePage(PAYMENT) }),
  of(pushHeldPayments, {
    answer: { data: [{ payment_id: PAYMENT.id, erp_push_status: "pending" }] },
    body: { connection_id: ERP_CONNECTION.id },
  }),
  of(getSyncRun, { answer: SYNC_RUN }),
  of(listSyncRuns, { answer: examplePage(SYNC_RUN), parameters: { status: SYNC_RUN.status } }),
  of(startErpSync, { answer: { sync_run_id: SYNC_RUN.id, status: "running" } }),
  of(dismissTask, { answer: { ok: true } }),
  of(listTasks, { answer: examplePage(TASK), parameters: { type: TASK.type } }),
  of(listWorkflowExecutions, {
    answer: examplePage(EXECUTION),
    parameters: { status: EXECUTION.status, invoice_id: EXECUTION.invoice_id },
  }),
  of(listWorkflows, { answer: examplePage(WORKFLOW), parameters: { type: WORKFLOW.type } }),
  of(getApiContext, { answer: CONTEXT }),
]);
