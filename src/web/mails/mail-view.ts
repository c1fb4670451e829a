import type { z } from "zod";
import type { Membership } from "../../../auth/connections.ts";
import type { listMailingProblems } from "../../core/customers/operations/customer-mailing.ts";
import type { ErrorDetail } from "../../core/kernel/error.ts";
import type { getMailSettings } from "../../core/mail/operations/set-mail-settings.ts";
import type { RefusedForm } from "../kit/admin-page.ts";
import { buttonForm, type FormField, input, select, textarea } from "../kit/fields.ts";
import { emailAddress, type Html, html } from "../kit/html.ts";
import { timeElement } from "../kit/words.ts";
import { LOCALE_NAMES, LOCALE_OPTIONS } from "./locale-names.ts";

/** What was typed into the form of settings. */
export interface TypedSettings {
  locale: string;
  postalAddress: string;
  replyTo: string;
  contact: string;
}

/** A form that was not accepted: that of settings with what was typed, or a logo. */
export interface RefusedSettings extends RefusedForm {
  typed: TypedSettings | null;
  problems: readonly ErrorDetail[];
}

type Settings = z.output<(typeof getMailSettings)["output"]>;
type Problems = z.output<(typeof listMailingProblems)["output"]>;

interface Section {
  workspace: Membership;
  settings: Settings;
  problems: Problems;
  formField: FormField;
  refused: RefusedSettings | null;
}

/** One workspace's mails: its letterhead, previews, and whom mail does not reach. */
export function mailsSection(section: Section): Html {
  const { workspace, problems } = section;
  return html`<section aria-labelledby="w-${workspace.tenantId}">
<h2 id="w-${workspace.tenantId}">${workspace.name}</h2>
<p><a class="button" href="/mails/${workspace.tenantId}/preview">Preview the mails</a></p>
<div class="forms">${settingsForm(section)}${logoForm(section)}</div>
${failedTable(workspace, problems.failed)}
${notMailed(workspace, problems.not_mailed)}
</section>`;
}

function settingsForm({ workspace: { tenantId }, settings, formField, refused }: Section): Html {
  const action = `/mails/${tenantId}`;
  const shown: TypedSettings = refused?.typed ?? {
    locale: settings.locale,
    postalAddress: settings.postal_address ?? "",
    replyTo: settings.reply_to ?? "",
    contact: settings.contact ?? "",
  };
  const problem = (field: string): string | undefined => {
    const found = refused?.typed == null ? undefined : refused.problems.find((one) => one.field === field);
    return found === undefined ? undefined : `It ${found.message}.`;
  };
  const id = (name: string): string => `${name}-${tenantId}`;
  return html`<form class="card" method="post" action="${action}">${formField(action)}<h3>Letterhead</h3>
${select({ id: id("locale"), name: "locale", label: "Language", hint: "Of customers without a language of their own.", problem: problem("locale") }, LOCALE_OPTIONS, shown.locale)}
${textarea({ id: id("address"), name: "postal_address", label: "Postal address", hint: "Below each mail; at most 6 lines.", problem: problem("postalAddress") }, shown.postalAddress, html`rows="4" maxlength="1000"`)}
${input({ id: id("reply"), name: "reply_to", label: "Answers go to", hint: "An email address that somebody reads.", problem: problem("replyTo") }, html`type="email" value="${shown.replyTo}" maxlength="320"`)}
${input({ id: id("contact"), name: "contact", label: "Whom to ask", hint: "Such as a name and a telephone number.", problem: problem("contact") }, html`value="${shown.contact}" maxlength="200"`)}
<div class="actions"><button>Save letterhead</button></div></form>`;
}

function logoForm({ workspace: { tenantId }, settings, formField, refused }: Section): Html {
  const action = `/mails/${tenantId}/logo`;
  const found = refused === null || refused.typed !== null ? undefined : refused.problems[0]?.message;
  const problem =
    found === undefined ? undefined : found.startsWith("must") || found.startsWith("cannot") ? `It ${found}.` : found;
  const field = {
    id: `logo-${tenantId}`,
    name: "logo",
    label: settings.has_logo ? "Another logo" : "Logo",
    hint: "PNG or JPEG, up to 2 MB. It is shown up to 240 × 80 pixels, in the place of the workspace's name.",
    problem,
  };
  return html`<div class="card"><form method="post" action="${action}" enctype="multipart/form-data">${formField(action)}<h3>Logo</h3>
${settings.has_logo && html`<p class="logo"><img src="/mails/${tenantId}/logo.png" alt="The logo of mails"></p>`}
${input(field, html`type="file" accept="image/png,image/jpeg" required`)}
<div class="actions"><button>Set logo</button></div></form>
${settings.has_logo && html`<div class="actions">${buttonForm(formField, `${action}/remove`, html`<button class="danger">Remove logo</button>`)}</div>`}</div>`;
}

function failedTable({ tenantId, timezone }: Membership, failed: Problems["failed"]): Html | false {
  if (failed.length === 0) return false;
  return html`<h3>Mails that failed</h3>
<div class="wide"><table><thead><tr><th scope="col">Customer</th><th scope="col">Sent to</th><th scope="col">Why</th><th scope="col">When</th></tr></thead>
<tbody>${failed.map(
    (
      one,
    ) => html`<tr><th scope="row">${one.customer_id === null ? (one.customer_name ?? "–") : html`<a href="/mails/${tenantId}/customers/${one.customer_id}">${one.customer_name ?? "Unnamed"}</a>`}</th>
<td data-label="Sent to">${emailAddress(one.to)}</td><td data-label="Why">${one.reason} <span class="quiet">${one.codes}</span></td>
<td data-label="When">${timeElement(one.failed_at, timezone)}</td></tr>`,
  )}</tbody></table></div>`;
}

function notMailed({ tenantId }: Membership, customers: Problems["not_mailed"]): Html | false {
  if (customers.length === 0) return false;
  return html`<h3>Customers who are mailed nothing</h3>
<ul>${customers.map(
    ({ customer_id: id, name, locale }) =>
      html`<li><a href="/mails/${tenantId}/customers/${id}">${name ?? "Unnamed"}</a>${locale !== null && html` <span class="quiet">${LOCALE_NAMES[locale] ?? locale}</span>`}</li>`,
  )}</ul>`;
}
