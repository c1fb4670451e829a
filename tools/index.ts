import getContext from "./get-context.ts";
import getInvoice from "./get-invoice.ts";
import getSyncRun from "./get-sync-run.ts";
import listCustomerAging from "./list-customer-aging.ts";
import listErpConnections from "./list-erp-connections.ts";
import listInstallmentAging from "./list-installment-aging.ts";
import listInvoices from "./list-invoices.ts";
import listSyncRuns from "./list-sync-runs.ts";
import listTasks from "./list-tasks.ts";
import summarizeAging from "./summarize-aging.ts";
import { mayCall, type Tool } from "./tool.ts";

/** Every tool of the assistant route, in the order clients are shown them (completions §3). */
export const tools: readonly Tool[] = [
  getContext((actor) => tools.filter((tool) => mayCall(actor, tool)).map((tool) => tool.name)),
  listInvoices,
  getInvoice,
  listErpConnections,
  listSyncRuns,
  getSyncRun,
  listTasks,
  summarizeAging,
  listCustomerAging,
  listInstallmentAging,
];
