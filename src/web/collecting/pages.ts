import type { Router } from "express";
import type { Site } from "../kit/site.ts";
import { WorkspaceRoutes } from "../kit/workspace-pages.ts";
import { ATTENTION_PATH, addAttentionPage } from "./attention-page.ts";
import { addHeldPages } from "./held-pages.ts";
import { addLinkPages } from "./link-page.ts";
import { addLocalInvoicePage } from "./local-invoice-page.ts";
import { addNewLinksPage } from "./new-links-page.ts";
import { addPaymentPage } from "./payment-page.ts";
import { addTaskPages } from "./task-page.ts";

/** The pages at which members see, and admins do, what collecting needs people for. */
export function collectingPages(site: Site): Router {
  const routes = new WorkspaceRoutes(site);
  addAttentionPage(routes);
  addHeldPages(routes);
  addPaymentPage(routes);
  addLinkPages(routes);
  addTaskPages(routes);
  addLocalInvoicePage(routes);
  addNewLinksPage(routes);
  return routes.router;
}

/** The path of the one page that is not below a list. */
export const COLLECTING_PATHS = [ATTENTION_PATH];
