import type { z } from "zod";
import type { Membership } from "../../../auth/connections.ts";
import type { getCustomerMailing } from "../../core/customers/operations/customer-mailing.ts";
import { checkbox, type FormField, select } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { timeElement } from "../kit/words.ts";
import { LOCALE_OPTIONS } from "./locale-names.ts";

interface View {
  workspace: Membership;
  mailing: z.output<(typeof getCustomerMailing)["output"]>;
  formField: FormField;
}

/** How one customer is mailed, and what failed. */
export function customerMailingView({ workspace, mailing, formField }: View): Html {
  const { tenantId, timezone } = workspace;
  const action = `/mails/${tenantId}/customers/${mailing.customer_id}`;
  const options = [{ value: "", label: "As the workspace" }, ...LOCALE_OPTIONS];
  return html`<h1>Mails to ${mailing.name ?? "an unnamed customer"}</h1>
<p>${mailing.email === null ? "No billing email is known." : html`Billing email: <strong>${mailing.email}</strong>`}</p>
<form method="post" action="${action}">${formField(action)}
${select({ id: "locale", name: "locale", label: "Language" }, options, mailing.locale ?? "")}
${checkbox({ id: "no_mail", name: "no_mail", label: "Do not mail this customer", hint: "Auto Generate makes no links for them, and emails that are scheduled are cancelled." }, mailing.no_mail)}
<div class="actions"><button>Save</button></div></form>
${mailing.failed.length > 0 && html`<h2>Mails that failed</h2>${failedList(mailing.failed, timezone)}`}
<p><a href="/customers/${mailing.customer_id}?workspace=${tenantId}">To the customer</a></p>
<p><a href="/mails">To all mails</a></p>`;
}

/** Mails that failed, and why. */
export function failedList(failed: View["mailing"]["failed"], timezone: string): Html {
  return html`<ul>${failed.map(
    ({ to, failed_at: at, reason, codes }) =>
      html`<li>${timeElement(at, timezone)}, ${to}: ${reason} <span class="quiet">${codes}</span></li>`,
  )}</ul>`;
}
