import type { z } from "zod";
import { listAgingInstallments } from "../core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../core/aging/operations/summarize-aging.ts";
import { setErpSyncSchedule, setPaymentPushMode } from "../core/erp-connections/operations/change-settings.ts";
import { getErpConnection, listErpConnections } from "../core/erp-connections/operations/list-erp-connections.ts";
import type { ApiKeyActor, Operation } from "../core/gate/operation.ts";
import { getInvoice } from "../core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../core/invoices/operations/list-invoices.ts";
import { listPaymentIntegrations } from "../core/payment-integrations/operations/list-payment-integrations.ts";
import { createPaymentLink, createPaymentLinks } from "../core/payment-links/operations/create-links.ts";
import { deactivatePaymentLink } from "../core/payment-links/operations/deactivate-payment-link.ts";
import { cancelPaymentLinkEmail, reschedulePaymentLinkEmail } from "../core/payment-links/operations/emails.ts";
import { getPaymentLink } from "../core/payment-links/operations/get-payment-link.ts";
import { listPaymentLinks } from "../core/payment-links/operations/list-payment-links.ts";
import { getPayment, listPayments } from "../core/payments/operations/list-payments.ts";
import { pushHeldPayments } from "../core/payments/operations/push-held-payments.ts";
import { getSyncRun, listSyncRuns } from "../core/sync-runs/operations/list-sync-runs.ts";
import { startErpSync } from "../core/sync-runs/operations/start-erp-sync.ts";
import { dismissTask } from "../core/tasks/operations/dismiss-task.ts";
import { getTask } from "../core/tasks/operations/get-task.ts";
import { listTasks } from "../core/tasks/operations/list-tasks.ts";
import { getWorkflow, listWorkflowExecutions, listWorkflows } from "../core/workflows/operations/list-workflows.ts";
import { getApiContext } from "../core/workspace/operations/get-api-context.ts";

type RestOperation = Operation<z.ZodObject, z.ZodObject, ApiKeyActor>;

/** One line of the API: `{invoiceId}` in the path is the operation's input `invoice_id`. */
export interface Route {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly operation: RestOperation;
  /** Status of a success. */
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
  get("/v1/payments/{paymentId}", getPayment),
  post("/v1/payments/push-held", pushHeldPayments, 202),
  get("/v1/payment-integrations", listPaymentIntegrations),
  get("/v1/erp-connections", listErpConnections),
  get("/v1/erp-connections/{connectionId}", getErpConnection),
  post("/v1/erp-connections/{connectionId}/sync", startErpSync, 202),
  post("/v1/erp-connections/{connectionId}/sync-schedule", setErpSyncSchedule),
  post("/v1/erp-connections/{connectionId}/payment-push-mode", setPaymentPushMode),
  get("/v1/sync-runs", listSyncRuns),
  get("/v1/sync-runs/{syncRunId}", getSyncRun),
  get("/v1/tasks", listTasks),
  get("/v1/tasks/{taskId}", getTask),
  post("/v1/tasks/{taskId}/dismiss", dismissTask),
  get("/v1/workflows", listWorkflows),
  get("/v1/workflows/{workflowId}", getWorkflow),
  get("/v1/workflow-executions", listWorkflowExecutions),
  get("/v1/aging/summary", summarizeAging),
  get("/v1/aging/customers", listCustomerAging),
  get("/v1/aging/installments", listAgingInstallments),
];
