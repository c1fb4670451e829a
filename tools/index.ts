import cancelPaymentLinkEmail from "./cancel-payment-link-email.ts";
import createPaymentLinks from "./create-payment-links.ts";
import deactivatePaymentLink from "./deactivate-payment-link.ts";
import dismissTask from "./dismiss-task.ts";
import getContext from "./get-context.ts";
import getInvoice from "./get-invoice.ts";
import getPaymentLink from "./get-payment-link.ts";
import getSyncRun from "./get-sync-run.ts";
import listCustomerAging from "./list-customer-aging.ts";
import listErpConnections from "./list-erp-connections.ts";
import listInstallmentAging from "./list-installment-aging.ts";
import listInvoices from "./list-invoices.ts";
import listPaymentIntegrations from "./list-payment-integrations.ts";
import listPaymentLinks from "./list-payment-links.ts";
import listPayments from "./list-payments.ts";
import listSyncRuns from "./list-sync-runs.ts";
import listTasks from "./list-tasks.ts";
import listWorkflowExecutions from "./list-workflow-executions.ts";
import listWorkflows from "./list-workflows.ts";
import pushHeldPayments from "./push-held-payments.ts";
import reschedulePaymentLinkEmail from "./reschedule-payment-link-email.ts";
import summarizeAging from "./summarize-aging.ts";
import { mayCall, type Tool } from "./tool.ts";

/** All tools of the assistant route, in the order clients list them (completions §3). */
export const tools: readonly Tool[] = [
  getContext((actor) => tools.filter((tool) => mayCall(actor, tool)).map((tool) => tool.name)),
  listInvoices,
  getInvoice,
  listErpConnections,
  listSyncRuns,
  getSyncRun,
  listTasks,
  listPaymentLinks,
  getPaymentLink,
  listPayments,
  listPaymentIntegrations,
  listWorkflows,
  listWorkflowExecutions,
  summarizeAging,
  listCustomerAging,
  listInstallmentAging,
  createPaymentLinks,
  deactivatePaymentLink,
  reschedulePaymentLinkEmail,
  cancelPaymentLinkEmail,
  dismissTask,
  pushHeldPayments,
];
