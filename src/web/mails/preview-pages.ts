import type { Response } from "express";
import { LOCALES, type Locale } from "../../core/mail/locale.ts";
import { SAMPLE_KINDS, type SampleKind } from "../../core/mail/mail-samples.ts";
import { getMailLogo, previewMail } from "../../core/mail/operations/preview-mail.ts";
import { adminsHere } from "../kit/doors.ts";
import { type Html, html } from "../kit/html.ts";
import { facts, tabs } from "../kit/parts.ts";
import type { Visit, WorkspaceVisit } from "../kit/visit.ts";

const KIND_NAMES: Readonly<Record<SampleKind, string>> = {
  due: "One invoice, due later",
  overdue: "One installment, overdue",
  several: "Several invoices",
};

/** `/mails/{workspace}/preview`: each mail to customers as it looks, in every language; and the logo. */
export const PREVIEW_ROUTES = [
  adminsHere.get("/mails/:tenantId/preview", async (visit) => {
    const chosen = chosenIn(visit);
    const { subject, text, from, reply_to: replyTo } = await visit.call(previewMail, chosen);
    const headers = { subject, from, replyTo };
    visit.show({ title: "Preview of mails", body: previewView({ visit, chosen, headers, text }) });
  }),
  adminsHere.get("/mails/:tenantId/preview/mail", async (visit) => {
    const { html: document } = await visit.call(previewMail, chosenIn(visit));
    sendMailDocument(visit.response, document);
  }),
  adminsHere.get("/mails/:tenantId/logo.png", async (visit) => {
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

interface Preview {
  visit: WorkspaceVisit;
  chosen: Chosen;
  headers: { subject: string; from: string; replyTo: string | null };
  text: string;
}

function previewView({ visit, chosen, headers, text }: Preview): Html {
  const { workspace } = visit;
  const path = `/mails/${workspace.tenantId}/preview`;
  const queryOf = ({ kind, locale }: Chosen): string =>
    new URLSearchParams({ kind, ...(locale !== undefined && { locale }) }).toString();
  const to = (name: string, one: Chosen, isCurrent: boolean) => ({ path: `${path}?${queryOf(one)}`, name, isCurrent });
  const kinds = SAMPLE_KINDS.map((kind) => to(KIND_NAMES[kind], { ...chosen, kind }, kind === chosen.kind));
  const own = to("As the workspace", { kind: chosen.kind }, chosen.locale === undefined);
  const locales = LOCALES.map((locale) =>
    to(LOCALE_NAMES[locale] ?? locale, { ...chosen, locale }, locale === chosen.locale),
  );
  return html`<h1>Preview: ${workspace.name}</h1>
<p class="quiet">An invented customer, with the workspace's letterhead of now.</p>
${tabs("Mail", kinds)}
${tabs("Language", [own, ...locales])}
${facts([
  ["From", headers.from],
  ["Subject", headers.subject],
  headers.replyTo !== null && ["Answers go to", headers.replyTo],
])}
${mailFrame(visit.response, `${path}/mail?${queryOf(chosen)}`)}
<h2>The same as plain text</h2>
<pre>${text}</pre>
<p><a href="/mails">To all mails</a></p>`;
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
