import { getCustomerMailing, listMailingProblems } from "../../core/customers/operations/customer-mailing.ts";
import { removeMailLogo } from "../../core/mail/operations/set-mail-logo.ts";
import { getMailSettings } from "../../core/mail/operations/set-mail-settings.ts";
import { MAX_PICTURE_BYTES } from "../../gateways/images/index.ts";
import type { PageRoutes } from "../kit/routes.ts";
import { sectionsPage } from "../kit/sections-page.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { customerMailingView, MAILING } from "./customer-mailing-view.ts";
import { LETTERHEAD, LOGO, mailsSection } from "./mail-view.ts";
import { PREVIEW_ROUTES } from "./preview-pages.ts";

const customerIn = (visit: WorkspaceVisit): string => visit.id("customerId", "customer");

/** `/mails`: how mails to customers look, and who gets none (completions §7). */
const MAILS_PAGE = sectionsPage({
  path: "/mails",
  title: "Mails",
  settings: { group: "Collecting", words: "How mails to customers look, and who is mailed nothing." },
  adminsOnly: "Only an admin of a workspace sets up its mails",
  intro: "What customers get by email: how it looks, in which language, and who is mailed nothing.",
  done: {
    saved: "Saved. Mails to customers follow from now on.",
    logo: "The logo is set. The preview shows mails with it.",
    no_logo: "The logo was removed. Mails have the workspace's name in its place.",
    customer: "Saved. Emails to the customer follow from now on.",
  },
  section: async (visit) =>
    mailsSection({
      visit,
      settings: await visit.call(getMailSettings, {}),
      problems: await visit.call(listMailingProblems, {}),
    }),
  acts: {
    "": {
      async send(visit) {
        await LETTERHEAD.send(visit);
        return "saved";
      },
    },
    "/logo": {
      maxFileBytes: MAX_PICTURE_BYTES,
      async send(visit) {
        await LOGO.send(visit);
        return "logo";
      },
    },
    "/logo/remove": {
      async send(visit) {
        await visit.call(removeMailLogo, {});
        return "no_logo";
      },
    },
    "/customers/:customerId": {
      title: "Mails to a customer",
      async ask(visit) {
        const mailing = await visit.call(getCustomerMailing, { customerId: customerIn(visit) });
        return customerMailingView(visit, mailing);
      },
      async send(visit) {
        await MAILING.send(visit, { customerId: customerIn(visit) });
        return "customer";
      },
    },
  },
});

export const MAIL_PAGES: PageRoutes = { ...MAILS_PAGE, routes: [...MAILS_PAGE.routes, ...PREVIEW_ROUTES] };
