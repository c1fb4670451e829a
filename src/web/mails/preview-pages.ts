import type { Response } from "express";
import { LOCALES, type Locale } from "../../core/mail/locale.ts";
import { SAMPLE_KINDS, type SampleKind } from "../../core/mail/mail-samples.ts";
import { getMailLogo, previewMail } from "../../core/mail/operations/preview-mail.ts";
import { facts, type Html, html, link, muted, tabs } from "../kit/markup.ts";
import { adminsHere, members, type Visit, type WorkspaceVisit, withQuery } from "../kit/page.ts";

const KIND_NAMES: Readonly<Record<SampleKind, string>> = {
  due: "One invoice, due later",
  overdue: "One installment, overdue",
  several: "Several invoices",
};

/** `/mails/{workspace}/preview`: each mail to customers as it looks, in every language; and the logo. */
export const PREVIEW_ROUTES = [
  adminsHere.get("/mails/:tenantId/preview", showPreview),
  adminsHere.get("/mails/:tenantId/preview/mail", async (visit) => {
    const { html: document } = await visit.call(previewMail, chosenIn(visit));
    sendMailDocument(visit.response, document);
  }),
  members.get("/logo.png", async (visit) => {
    const { png } = await visit.call(getMailLogo, {});
    visit.response.setHeader("X-Content-Type-Options", "nosniff");
    visit.response.type("png").send(Buffer.from(png));
  }),
];

interface Chosen {
  kind: SampleKind;
  /** Undefined for the workspace's own. */
  locale?: Locale;
}

function chosenIn({ request: { query } }: Visit): Chosen {
  const kind = SAMPLE_KINDS.find((one) => one === query.kind) ?? "due";
  const locale = LOCALES.find((one) => one === query.locale);
  return { kind, ...(locale !== undefined && { locale }) };
}

async function showPreview(visit: WorkspaceVisit): Promise<void> {
  const chosen = chosenIn(visit);
  const { subject, text, from, reply_to: replyTo } = await visit.call(previewMail, chosen);
  const path = `/mails/${visit.workspace.tenantId}/preview`;
  const to = (name: string, one: Chosen) => ({
    path: withQuery(path, { ...one }),
    name,
    isCurrent: one.kind === chosen.kind && one.locale === chosen.locale,
  });
  const kinds = SAMPLE_KINDS.map((kind) => to(KIND_NAMES[kind], { ...chosen, kind }));
  const locales = LOCALES.map((locale) => to(LOCALE_NAMES[locale] ?? locale, { ...chosen, locale }));
  const body = html`<h1>Mails of ${visit.workspace.name}</h1>
${muted("An invented customer and payment provider, with the saved letterhead.")}
${tabs("Mail", kinds)}
${tabs("Language", [to("As set for the workspace", { kind: chosen.kind }), ...locales])}
${facts([["From", from], ["Subject", subject], replyTo !== null && ["Reply to", replyTo]])}
${mailFrame(visit.response, withQuery(`${path}/mail`, { ...chosen }))}
<h2>The same as plain text</h2>
<pre>${text}</pre>
<p>${link("/mails", "Back to Mails")}</p>`;
  visit.show({ title: "Preview of mails", body });
}

/** A mail's document: it loads and runs nothing, and only our own page frames it. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox";

/** Sends a mail as it looks. */
export function sendMailDocument(response: Response, document: string): void {
  response.setHeader("Content-Security-Policy", MAIL_POLICY);
  response.setHeader("X-Frame-Options", "SAMEORIGIN");
  response.type("html").send(document);
}

/** A mail as a mail program shows it, within a page: its document is at `path`. */
export function mailFrame(response: Response, path: string): Html {
  response.setHeader("Content-Security-Policy", `${response.getHeader("Content-Security-Policy")};frame-src 'self'`);
  return html`<iframe class="mail" title="The mail as a mail program shows it" src="${path}" sandbox></iframe>`;
}

/** The locales as people read them. */
export const LOCALE_NAMES: Readonly<Record<string, string>> = {
  "en-GB": "English (international)",
  "en-US": "English (United States)",
  "de-DE": "German (Germany)",
  "de-AT": "German (Austria)",
  "de-CH": "German (Switzerland)",
  "fr-FR": "French (France)",
  "fr-BE": "French (Belgium)",
  "fr-CH": "French (Switzerland)",
  "fr-CA": "French (Canada)",
  "es-ES": "Spanish (Spain)",
  "es-MX": "Spanish (Mexico)",
} satisfies Record<Locale, string>;
