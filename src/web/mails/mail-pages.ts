import type { z } from "zod";
import {
  getCustomerMailing,
  listMailingProblems,
  setCustomerMailing,
} from "../../core/customers/operations/customer-mailing.ts";
import { removeMailLogo, setMailLogo } from "../../core/mail/operations/set-mail-logo.ts";
import { getMailSettings, setMailSettings } from "../../core/mail/operations/set-mail-settings.ts";
import { MAX_PICTURE_BYTES } from "../../gateways/images/index.ts";
import { actions, buttonLink, emailAddress, type Html, html, type Inserted, link, timeElement } from "../kit/markup.ts";
import { doing, Form, type PageRoutes, WORKSPACE, type WorkspaceVisit, withQuery } from "../kit/page.ts";
import { sectionsPage } from "../kit/sections-page.ts";
import { plainTable } from "../lists/list.ts";
import { LOCALE_NAMES, PREVIEW_ROUTES } from "./preview-pages.ts";

const customerIn = (visit: WorkspaceVisit): string => visit.id("customerId", "customer");

/** `/mails`: how mails to customers look, and who gets none (completions §7). */
const MAILS_PAGE = sectionsPage({
  path: "/mails",
  title: "Mails",
  settings: { group: "Collecting", words: "How mails to customers look." },
  adminsOnly: "Only an admin of a workspace sets up its mails",
  intro: "What customers get by mail: how it looks, and in which language.",
  done: {
    saved: "Saved. Mails to customers follow from now on.",
    logo: "The logo is set. The preview shows mails with it.",
    no_logo: "The logo was removed. Mails have the workspace's name in its place.",
    customer: "Saved. Mails to the customer follow from now on.",
  },
  async section(visit) {
    const { tenantId } = visit.workspace;
    const settings = await visit.call(getMailSettings, {});
    const { failed, not_mailed: others } = await visit.call(listMailingProblems, {});
    return html`<p>${buttonLink(`/mails/${tenantId}/preview`, "Preview the mails")}</p>
<div class="forms">${settingsForm(visit, settings)}${logoForm(visit, settings)}</div>
${failed.length > 0 && failedTable(visit, failed)}
${others.length > 0 && notMailed(visit, others)}`;
  },
  acts: {
    "": doing("saved", (visit) => LETTERHEAD.send(visit)),
    "/logo": {
      maxFileBytes: MAX_PICTURE_BYTES,
      ...doing("logo", (visit: WorkspaceVisit) => LOGO.send(visit)),
    },
    "/logo/remove": doing("no_logo", (visit) => visit.call(removeMailLogo, {})),
    "/customers/:customerId": {
      title: "Mails to a customer",
      async ask(visit) {
        const mailing = await visit.call(getCustomerMailing, { customerId: customerIn(visit) });
        return customerMailingView(visit, mailing);
      },
      ...doing("customer", (visit: WorkspaceVisit) => MAILING.send(visit, { customerId: customerIn(visit) })),
    },
  },
});

export const MAIL_PAGES: PageRoutes = { ...MAILS_PAGE, routes: [...MAILS_PAGE.routes, ...PREVIEW_ROUTES] };

const LETTERHEAD = new Form(setMailSettings, {
  locale: { label: "Language", hint: "For customers without a language of their own.", choices: LOCALE_NAMES },
  postalAddress: { label: "Postal address", hint: "Below each mail; at most 6 lines.", type: "lines" },
  replyTo: {
    label: "Reply to",
    hint: "An email address that somebody reads.",
    type: "email",
    attributes: html`maxlength="320"`,
  },
  contact: {
    label: "Contact",
    hint: "Whom customers ask, such as a name and a telephone number.",
    attributes: html`maxlength="200"`,
  },
});

const LOGO = new Form(setMailLogo, {
  file: {
    name: "logo",
    label: "Picture",
    hint: "PNG or JPEG, up to 2 MB. It is shown up to 240 × 80 pixels, in the place of the workspace's name.",
    type: "file",
    attributes: html`accept="image/png,image/jpeg"`,
    isBlamed: true,
  },
});

type Settings = z.output<(typeof getMailSettings)["output"]>;
type Problems = z.output<(typeof listMailingProblems)["output"]>;

function settingsForm(visit: WorkspaceVisit, settings: Settings): Html {
  const key = visit.workspace.tenantId;
  const { locale, postal_address: postalAddress, reply_to: replyTo, contact } = settings;
  return LETTERHEAD.view(visit, {
    ...{ path: `/mails/${key}`, key, button: "Save letterhead", look: "card", head: html`<h3>Letterhead</h3>` },
    now: { locale, postalAddress, replyTo, contact },
    isPartial: true,
  });
}

function logoForm(visit: WorkspaceVisit, { has_logo: hasLogo }: Settings): Html {
  const { tenantId } = visit.workspace;
  const path = `/mails/${tenantId}/logo`;
  const source = withQuery("/logo.png", { [WORKSPACE]: tenantId });
  const shown = html`<p class="logo"><img src="${source}" alt="The logo of mails"></p>`;
  return html`<div class="card">${LOGO.view(visit, {
    ...{ path, key: tenantId, button: "Set logo", head: html`<h3>Logo</h3>${hasLogo && shown}` },
    words: hasLogo ? { file: { label: "Another picture" } } : {},
  })}
${hasLogo && actions(visit.button(`${path}/remove`, html`<button class="danger">Remove logo</button>`))}</div>`;
}

function failedTable(visit: WorkspaceVisit, rows: Problems["failed"]): Html {
  const { tenantId } = visit.workspace;
  const customer = ({ customer_id: id, customer_name: name }: Problems["failed"][number]): Inserted =>
    id === null ? (name ?? "–") : link(`/mails/${tenantId}/customers/${id}`, name ?? "Unnamed");
  return html`<h3>Mails that failed</h3>
${plainTable<Problems["failed"][number]>({
  ...{ caption: "Mails that failed", rows },
  columns: [
    { head: "Customer", cell: customer },
    { head: "Sent to", cell: ({ to }) => emailAddress(to) },
    { head: "Why", cell: ({ reason, codes }) => html`${reason} <span class="quiet">${codes}</span>` },
    { head: `When (${visit.workspace.timezone})`, cell: ({ failed_at: at }) => visit.time(at) },
  ],
})}`;
}

function notMailed({ workspace: { tenantId } }: WorkspaceVisit, customers: Problems["not_mailed"]): Html {
  const items = customers.map(({ customer_id: id, name, locale }) => {
    const language = locale !== null && html`<span class="quiet">${LOCALE_NAMES[locale] ?? locale}</span>`;
    return html`<li>${link(`/mails/${tenantId}/customers/${id}`, name ?? "Unnamed")} ${language}</li>`;
  });
  return html`<h3>Customers who are mailed nothing</h3>
<ul>${items}</ul>`;
}

const MAILING = new Form(setCustomerMailing, {
  locale: { label: "Language", choices: { "": "As set for the workspace", ...LOCALE_NAMES } },
  noMail: {
    label: "Do not mail this customer",
    hint: "Auto Generate makes no links for them, and scheduled mails are cancelled when they are due.",
  },
});

type Mailing = z.output<typeof getCustomerMailing.output>;

/** How one customer is mailed, and what failed. */
function customerMailingView(visit: WorkspaceVisit, mailing: Mailing): Html {
  const { tenantId, timezone } = visit.workspace;
  const path = `/mails/${tenantId}/customers/${mailing.customer_id}`;
  const now = { locale: mailing.locale, noMail: mailing.no_mail };
  return html`<h1>Mails to ${mailing.name ?? "an unnamed customer"}</h1>
<p>${mailing.email === null ? "No billing email is known." : html`Billing email: <strong>${mailing.email}</strong>`}</p>
${MAILING.view(visit, { path, key: "customer", button: "Save", now, isPartial: true })}
${mailing.failed.length > 0 && html`<h2>Mails that failed</h2>${failedList(mailing.failed, timezone)}`}
<p><a href="/customers/${mailing.customer_id}?workspace=${tenantId}">See the customer</a></p>
<p><a href="/mails">Back to Mails</a></p>`;
}

/** Mails that failed, and why. */
export function failedList(failed: Mailing["failed"], timezone: string): Html {
  return html`<ul>${failed.map(
    ({ to, failed_at: at, reason, codes }) =>
      html`<li>${timeElement(at, timezone)}, ${to}: ${reason} <span class="quiet">${codes}</span></li>`,
  )}</ul>`;
}
