import type { Router } from "express";
import { adminsOnly } from "../kit/acts.ts";
import type { Site } from "../kit/site.ts";
import { WorkspaceRoutes } from "../kit/workspace-pages.ts";
import { addAttentionPage } from "./attention-page.ts";
import { addEditInvoicePage } from "./edit-invoice-page.ts";
import { addHeldPages } from "./held-pages.ts";
import { addLinkPages } from "./link-page.ts";
import { addLocalInvoicePage } from "./local-invoice-page.ts";
import { addNewLinksPage } from "./new-links-page.ts";
import { addPaymentPage } from "./payment-page.ts";
import { addTaskPages } from "./task-page.ts";

/** The pages at which members see, and admins do, what collecting needs people for. */
export function collectingPages(site: Site): Router {
  const routes = new WorkspaceRoutes(site);
  const admins = routes.forAdmins(adminsOnly);
  addAttentionPage(routes, admins);
  addHeldPages(routes, admins);
  addPaymentPage(routes, admins);
  addLinkPages(routes, admins);
  addTaskPages(routes, admins);
  addLocalInvoicePage(admins);
  addEditInvoicePage(admins);
  addNewLinksPage(admins);
  return routes.router;
}
