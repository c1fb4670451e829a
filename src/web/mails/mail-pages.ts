import type { Router } from "express";
import { getCustomerMailing, listMailingProblems } from "../../core/customers/operations/customer-mailing.ts";
import { removeMailLogo } from "../../core/mail/operations/set-mail-logo.ts";
import { getMailSettings } from "../../core/mail/operations/set-mail-settings.ts";
import { MAX_PICTURE_BYTES } from "../../gateways/images/index.ts";
import { AdminPage } from "../kit/admin-page.ts";
import type { Site } from "../kit/site.ts";
import { customerMailingView, MAILING } from "./customer-mailing-view.ts";
import { LETTERHEAD, LOGO, mailsSection } from "./mail-view.ts";
import { previewRoutes } from "./preview-pages.ts";

/** The notice after a form, by the name in the query. */
const NOTICES = {
  saved: "Saved. Mails to customers follow from now on.",
  logo: "The logo is set. The preview shows mails with it.",
  no_logo: "The logo was removed. Mails have the workspace's name in its place.",
  customer: "Saved. Emails to the customer follow from now on.",
};

/** `/mails`: how mails to customers look, and who gets none (completions §7). */
export function mailPages(site: Site): Router {
  const page = new AdminPage(site, {
    path: "/mails",
    title: "Mails",
    adminsOnly: "Only an admin of a workspace sets up its mails",
    intro: "What customers get by email: how it looks, in which language, and who is mailed nothing.",
    notices: NOTICES,
    section: async (workspace, visit) =>
      mailsSection({
        workspace,
        settings: await visit.act(workspace, getMailSettings, {}),
        problems: await visit.act(workspace, listMailingProblems, {}),
        visit,
      }),
  });

  page.form("", async (visit, workspace) => {
    await LETTERHEAD.send({ visit, workspace });
    return "saved";
  });

  page.form(
    "/logo",
    async (visit, workspace) => {
      await LOGO.send({ visit, workspace });
      return "logo";
    },
    { maxFileBytes: MAX_PICTURE_BYTES },
  );

  page.form("/logo/remove", async (visit, workspace) => {
    await visit.act(workspace, removeMailLogo, {});
    return "no_logo";
  });

  customerForms(page);
  return page.router.use(previewRoutes(site));
}

/** How one customer is mailed. */
function customerForms(page: AdminPage): void {
  page.page("/customers/:customerId", "Mails to a customer", async (visit, workspace) => {
    const customerId = visit.id("customerId", "customer");
    const mailing = await visit.act(workspace, getCustomerMailing, { customerId });
    return customerMailingView({ visit, workspace, mailing });
  });

  page.form("/customers/:customerId", async (visit, workspace) => {
    const customerId = visit.id("customerId", "customer");
    await MAILING.send({ visit, workspace }, { customerId });
    return "customer";
  });
}
