import type { Router } from "express";
import type { Site } from "../kit/site.ts";
import { WorkspaceRoutes } from "../kit/workspace-pages.ts";
import { addList } from "../lists/list-pages.ts";
import { CUSTOMER_LIST, DEBT_LIST } from "./aging-lists.ts";
import { addCustomerPage } from "./customer-page.ts";
import { INVOICE_LIST } from "./invoice-list.ts";
import { addInvoicePage } from "./invoice-page.ts";
import { PAYMENT_LIST } from "./payment-list.ts";
import { addStatementPages } from "./statement-page.ts";
import { LINK_LIST, TASK_LIST } from "./work-lists.ts";

/** The pages on which members see a workspace's receivables. */
export function receivablesPages(site: Site): Router {
  const routes = new WorkspaceRoutes(site);
  addList(routes, CUSTOMER_LIST);
  addCustomerPage(routes);
  addStatementPages(routes);
  addList(routes, INVOICE_LIST);
  addInvoicePage(routes);
  addList(routes, DEBT_LIST);
  addList(routes, LINK_LIST);
  addList(routes, TASK_LIST);
  addList(routes, PAYMENT_LIST);
  return routes.router;
}
