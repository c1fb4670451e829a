import type { Router } from "express";
import {
  getCustomerMailing,
  listMailingProblems,
  setCustomerMailing,
} from "../../core/customers/operations/customer-mailing.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { LOCALES } from "../../core/mail/locale.ts";
import { removeMailLogo, setMailLogo } from "../../core/mail/operations/set-mail-logo.ts";
import { getMailSettings, setMailSettings } from "../../core/mail/operations/set-mail-settings.ts";
import { MAX_PICTURE_BYTES } from "../../gateways/images/index.ts";
import { AdminPage, idIn, noticeOf } from "../kit/admin-page.ts";
import type { Visit } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { customerMailingView } from "./customer-mailing-view.ts";
import { mailsSection, type RefusedSettings } from "./mail-view.ts";
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
  const page = new AdminPage<RefusedSettings>(site, {
    path: "/mails",
    title: "Mails",
    adminsOnly: "Only an admin of a workspace sets up its mails",
    intro: "What customers get by email: how it looks, in which language, and who is mailed nothing.",
    notice: (query) => noticeOf(NOTICES, query),
    section: async (workspace, visit, refused) =>
      mailsSection({
        workspace,
        settings: await visit.act(workspace, getMailSettings, {}),
        problems: await visit.act(workspace, listMailingProblems, {}),
        formField: visit.formField,
        refused,
      }),
  });

  page.form("", async (visit, workspace) => {
    const typed = typedSettings(visit);
    const { locale, ...texts } = typed;
    return orRefused({ tenantId: workspace.tenantId, typed }, async () => {
      await visit.act(workspace, setMailSettings, {
        ...(isLocale(locale) && { locale }),
        postalAddress: texts.postalAddress || null,
        replyTo: texts.replyTo || null,
        contact: texts.contact || null,
      });
      return "/mails?saved";
    });
  });

  page.form(
    "/logo",
    async (visit, workspace) =>
      orRefused({ tenantId: workspace.tenantId, typed: null }, async () => {
        await visit.act(workspace, setMailLogo, { file: fileIn(visit.request.body) });
        return "/mails?logo";
      }),
    { maxFileBytes: MAX_PICTURE_BYTES },
  );

  page.form("/logo/remove", async (visit, workspace) => {
    await visit.act(workspace, removeMailLogo, {});
    return "/mails?no_logo";
  });

  customerForms(page);
  return page.router.use(previewRoutes(site));
}

/** How one customer is mailed. */
function customerForms(page: AdminPage<RefusedSettings>): void {
  page.page("/customers/:customerId", "Mails to a customer", async (visit, workspace) => {
    const customerId = idIn(visit.request.params.customerId, "customer");
    const mailing = await visit.act(workspace, getCustomerMailing, { customerId });
    return customerMailingView({ workspace, mailing, formField: visit.formField });
  });

  page.form("/customers/:customerId", async (visit, workspace) => {
    const customerId = idIn(visit.request.params.customerId, "customer");
    const locale = visit.field("locale");
    const noMail = visit.field("no_mail") === "on";
    await visit.act(workspace, setCustomerMailing, { customerId, locale: isLocale(locale) ? locale : null, noMail });
    return "/mails?customer";
  });
}

function typedSettings(visit: Visit) {
  return {
    locale: visit.field("locale"),
    postalAddress: visit.field("postal_address").trim(),
    replyTo: visit.field("reply_to").trim(),
    contact: visit.field("contact").trim(),
  };
}

async function orRefused(
  { tenantId, typed }: Pick<RefusedSettings, "tenantId" | "typed">,
  work: () => Promise<string>,
): Promise<string | RefusedSettings> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ServiceError) || !["validation_failed", "rate_limit_exceeded"].includes(error.code))
      throw error;
    const problems = error.details ?? [{ field: "file", message: error.message }];
    return { tenantId, typed, status: error.httpStatus, problems };
  }
}

function fileIn(body: unknown): Uint8Array<ArrayBuffer> {
  const file: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "logo") : undefined;
  return file instanceof Uint8Array ? new Uint8Array(file) : new Uint8Array();
}

const isLocale = (text: string): text is (typeof LOCALES)[number] => LOCALES.some((locale) => locale === text);
