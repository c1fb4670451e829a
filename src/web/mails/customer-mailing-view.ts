import type { z } from "zod";
import { type getCustomerMailing, setCustomerMailing } from "../../core/customers/operations/customer-mailing.ts";
import { Form } from "../kit/form.ts";
import { type Html, html } from "../kit/html.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { timeElement } from "../kit/words.ts";
import { LOCALE_NAMES } from "./locale-names.ts";

export const MAILING = new Form(setCustomerMailing, {
  locale: { label: "Language", choices: { "": "As the workspace", ...LOCALE_NAMES } },
  noMail: {
    label: "Do not mail this customer",
    hint: "Auto Generate makes no links for them, and emails that are scheduled are cancelled.",
  },
});

type Mailing = z.output<typeof getCustomerMailing.output>;

/** How one customer is mailed, and what failed. */
export function customerMailingView(visit: WorkspaceVisit, mailing: Mailing): Html {
  const { tenantId, timezone } = visit.workspace;
  const path = `/mails/${tenantId}/customers/${mailing.customer_id}`;
  const now = { locale: mailing.locale, noMail: mailing.no_mail };
  return html`<h1>Mails to ${mailing.name ?? "an unnamed customer"}</h1>
<p>${mailing.email === null ? "No billing email is known." : html`Billing email: <strong>${mailing.email}</strong>`}</p>
${MAILING.view(visit, { path, key: "customer", button: "Save", now })}
${mailing.failed.length > 0 && html`<h2>Mails that failed</h2>${failedList(mailing.failed, timezone)}`}
<p><a href="/customers/${mailing.customer_id}?workspace=${tenantId}">To the customer</a></p>
<p><a href="/mails">To all mails</a></p>`;
}

/** Mails that failed, and why. */
export function failedList(failed: Mailing["failed"], timezone: string): Html {
  return html`<ul>${failed.map(
    ({ to, failed_at: at, reason, codes }) =>
      html`<li>${timeElement(at, timezone)}, ${to}: ${reason} <span class="quiet">${codes}</span></li>`,
  )}</ul>`;
}
