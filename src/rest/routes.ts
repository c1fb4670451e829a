import type { z } from "zod";
import type { ApiKeyActor } from "../core/actor.ts";
import { listAgingInstallments } from "../core/aging/list-aging-installments.ts";
import { listCustomerAging } from "../core/aging/list-customer-aging.ts";
import { summarizeAging } from "../core/aging/summarize-aging.ts";
import { listErpConnections } from "../core/erp-connections/list-erp-connections.ts";
import { setErpSyncSchedule } from "../core/erp-connections/set-erp-sync-schedule.ts";
import { setPaymentPushMode } from "../core/erp-connections/set-payment-push-mode.ts";
import { startErpSync } from "../core/erp-connections/start-erp-sync.ts";
import { getInvoice } from "../core/invoices/get-invoice.ts";
import { listInvoices } from "../core/invoices/list-invoices.ts";
import type { Operation } from "../core/operation.ts";
import { listPaymentIntegrations } from "../core/payment-integrations/list-payment-integrations.ts";
import { cancelPaymentLinkEmail } from "../core/payment-links/cancel-payment-link-email.ts";
import { createPaymentLink } from "../core/payment-links/create-payment-link.ts";
import { createPaymentLinks } from "../core/payment-links/create-payment-links.ts";
import { deactivatePaymentLink } from "../core/payment-links/deactivate-payment-link.ts";
import { getPaymentLink } from "../core/payment-links/get-payment-link.ts";
import { listPaymentLinks } from "../core/payment-links/list-payment-links.ts";
import { reschedulePaymentLinkEmail } from "../core/payment-links/reschedule-payment-link-email.ts";
import { listPayments } from "../core/payments/list-payments.ts";
import { pushHeldPayments } from "../core/payments/push-held-payments.ts";
import { getSyncRun } from "../core/sync-runs/get-sync-run.ts";
import { listSyncRuns } from "../core/sync-runs/list-sync-runs.ts";
import { dismissTask } from "../core/tasks/dismiss-task.ts";
import { listTasks } from "../core/tasks/list-tasks.ts";
import { listWorkflowExecutions } from "../core/workflows/list-workflow-executions.ts";
import { listWorkflows } from "../core/workflows/list-workflows.ts";
import { getApiContext } from "../core/workspace/get-api-context.ts";

export type RestOperation = Operation<z.ZodObject, z.ZodObject, ApiKeyActor>;

/** One line of the API: `{invoiceId}` in the path is the operation's input `invoice_id`. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly operation: RestOperation;
  /** Of a success. */
  readonly status: 200 | 201 | 202;
}

const get = (path: string, operation: RestOperation): Route => ({ method: "GET", path, operation, status: 200 });
const post = (path: string, operation: RestOperation, status: Route["status"] = 200): Route => ({
  method: "POST",
  path,
  operation,
  status,
});

/** The whole API (service.md §4.2, completions §5); routing, permissions and openapi.json are read off it. */
export const ROUTES: readonly Route[] = [
  get("/v1/me", getApiContext),
  get("/v1/invoices", listInvoices),
  get("/v1/invoices/{invoiceId}", getInvoice),
  get("/v1/payment-links", listPaymentLinks),
  post("/v1/payment-links", createPaymentLink, 201),
  post("/v1/payment-links/batch", createPaymentLinks, 201),
  get("/v1/payment-links/{paymentLinkId}", getPaymentLink),
  post("/v1/payment-links/{paymentLinkId}/deactivate", deactivatePaymentLink),
  post("/v1/payment-links/{paymentLinkId}/email/reschedule", reschedulePaymentLinkEmail),
  post("/v1/payment-links/{paymentLinkId}/email/cancel", cancelPaymentLinkEmail),
  get("/v1/payments", listPayments),
  post("/v1/payments/push-held", pushHeldPayments, 202),
  get("/v1/payment-integrations", listPaymentIntegrations),
  get("/v1/erp-connections", listErpConnections),
  post("/v1/erp-connections/{connectionId}/sync", startErpSync, 202),
  post("/v1/erp-connections/{connectionId}/sync-schedule", setErpSyncSchedule),
  post("/v1/erp-connections/{connectionId}/payment-push-mode", setPaymentPushMode),
  get("/v1/sync-runs", listSyncRuns),
  get("/v1/sync-runs/{syncRunId}", getSyncRun),
  get("/v1/tasks", listTasks),
  post("/v1/tasks/{taskId}/dismiss", dismissTask),
  get("/v1/workflows", listWorkflows),
  get("/v1/workflow-executions", listWorkflowExecutions),
  get("/v1/aging/summary", summarizeAging),
  get("/v1/aging/customers", listCustomerAging),
  get("/v1/aging/installments", listAgingInstallments),
];
