import type { z } from "zod";
import { getCustomerMailing, setCustomerMailing } from "../../core/customers/operations/customer-mailing.ts";
import { setCustomerEmail } from "../../core/customers/operations/set-customer-email.ts";
import { counted } from "../../core/kernel/counted.ts";
import { readEmailAddress } from "../../core/kernel/email-address.ts";
import { notFound, ServiceError } from "../../core/kernel/error.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { doneNote } from "../kit/acts.ts";
import { forAdminsOnly } from "../kit/admin-page.ts";
import { input } from "../kit/fields.ts";
import { emailAddress, type Html, html } from "../kit/html.ts";
import { fact, part } from "../kit/parts.ts";
import { parameter, type WorkspaceRoutes, type WorkspaceVisit } from "../kit/workspace-pages.ts";
import { NOTHING } from "../lists/figures.ts";
import { failedList } from "../mails/customer-mailing-view.ts";

const SHOWN = 5;

type Mailing = z.output<(typeof getCustomerMailing)["output"]>;

/** A billing email that was not accepted, and why. */
export interface RefusedEmail {
  readonly typed: string;
  readonly problem: string;
}

/** How the customer of a key is mailed; null for a key that stands for one invoice without a customer. */
export async function mailingOf(visit: WorkspaceVisit, key: string): Promise<Mailing | null> {
  const customerId = Uuid.safeParse(key).data;
  return customerId === undefined ? null : visit.read(getCustomerMailing, { customerId });
}

/** Where mail for a customer goes, whose address that is, and what failed; admins change it here. */
export function mailingPart(visit: WorkspaceVisit, mailing: Mailing, refused: RefusedEmail | null): Html {
  const { workspace, isAdmin } = visit;
  const { no_mail: noMail, failed, own_email: own, erp_email: erp, email } = mailing;
  const link = `/mails/${workspace.tenantId}/customers/${mailing.customer_id}`;
  const isErpUnusable = erp !== null && readEmailAddress(erp) === null;
  return html`<div id="mails">${part(
    "Mails",
    html`${email === null && html`<p class="warn">No billing email is known: nothing of this customer can be collected until there is one.</p>`}
${isErpUnusable && html`<p class="warn">The billing email in the ERP is not a single email address, so no mail can be sent to it. Correct it in the ERP${own === null ? ", or set an address here" : ""}.</p>`}
${noMail && html`<p class="warn">This customer is not mailed: Auto Generate makes no links for them. Their invoices can still be collected through links that people make.</p>`}
${failed.length > 0 && html`<p class="warn">Mails to them failed. A new billing email schedules them again; so does the page of each payment link.</p>${failedList(failed.slice(0, SHOWN), workspace.timezone)}`}
<dl class="key">
${fact("Billing email that counts", email === null ? NOTHING : html`<span class="mail">${emailAddress(email)}</span><br><span class="quiet">${own === null ? "From the ERP" : "Set here, in place of the ERP's"}</span>`)}
${fact("In the ERP", erp === null ? NOTHING : html`<span class="mail">${isErpUnusable ? erp : emailAddress(erp)}</span>`)}
${fact("Mailing", noMail ? "Do not mail" : "Mailed")}
</dl>
${isAdmin && forms(visit, mailing, refused)}`,
    isAdmin ? html`<a href="${link}">Language of mails</a>` : null,
  )}</div>`;
}

function forms(visit: WorkspaceVisit, mailing: Mailing, refused: RefusedEmail | null): Html {
  const { customer_id: id, own_email: own, erp_email: erp, no_mail: noMail } = mailing;
  const email = visit.form(`/customers/${id}/email`);
  const mails = visit.form(`/customers/${id}/mailing`);
  const whose = erp === null ? "The ERP has no address for this customer." : "Without one here, the ERP's counts.";
  const hint = `It wins over the ERP's, at once and at every sync. ${whose}`;
  return html`<div class="forms"><form class="card" method="post" action="${email.action}">
${input({ id: "billing-email", name: "email", label: own === null ? "Set a billing email here" : "Billing email set here", hint, problem: refused?.problem }, html`inputmode="email" maxlength="320" value="${refused?.typed ?? own}" autocomplete="off"`)}
<div class="actions"><button>Save billing email</button>${own !== null && html`<button class="plain" name="clear" value="yes">${erp === null ? "Remove it" : "Use the ERP address"}</button>`}</div>${email.field}</form>
<form class="card" method="post" action="${mails.action}">
<h3>${noMail ? "Mail this customer again" : "Do not mail this customer"}</h3>
<p class="quiet">${noMail ? "Auto Generate, where it is on, makes links for them and mails them." : "Auto Generate makes no links for them, and scheduled mails are cancelled when they are due."}</p>
<div class="actions"><button class="plain" name="mail" value="${noMail ? "yes" : "no"}">${noMail ? "Mail them again" : "Stop mails to them"}</button></div>${mails.field}</form></div>`;
}

/** What was just done, by the query of the address; null where nothing was. */
export function mailingNotice(visit: WorkspaceVisit): Html | null {
  const { request } = visit.visit;
  const changed = Number(/^\d{1,7}$/.exec(parameter(request, "invoices") ?? "")?.[0] ?? 0);
  const follow = `${counted(changed, "invoice follows", "invoices follow")} at once.`;
  return doneNote(visit, {
    email: `The billing email set here counts now. ${follow}`,
    cleared: `The billing email set here was removed: the ERP's counts, if it has one. ${follow}`,
    stopped: "This customer is not mailed any more. Scheduled mails are cancelled when they are due.",
    mailed: "This customer is mailed again.",
  });
}

/** The forms about a customer's mails; `show` is their page with an address that was not accepted. */
export function addMailingForms(
  routes: WorkspaceRoutes,
  show: (visit: WorkspaceVisit, refused: RefusedEmail) => Promise<void>,
): void {
  const admins = routes.forAdmins(async ({ visit }) =>
    forAdminsOnly(visit, "Mails", "Only an admin of a workspace says how its customers are mailed"),
  );
  admins.post("/customers/:key/email", async (visit) => {
    const customerId = customerIn(visit);
    const typed = visit.visit.field("email").trim();
    const isCleared = visit.visit.field("clear") === "yes";
    const email = isCleared ? null : typed;
    try {
      const done = await visit.visit.act(visit.workspace, setCustomerEmail, { customerId, email });
      back(visit, { done: isCleared ? "cleared" : "email", invoices: String(done.invoices_changed) });
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== "validation_failed") throw error;
      await show(visit, { typed, problem: `It ${error.details?.[0]?.message ?? error.message}.` });
    }
  });
  admins.post("/customers/:key/mailing", async (visit) => {
    const noMail = visit.visit.field("mail") !== "yes";
    await visit.visit.act(visit.workspace, setCustomerMailing, { customerId: customerIn(visit), noMail });
    back(visit, { done: noMail ? "stopped" : "mailed" });
  });
}

function customerIn({ visit: { request } }: WorkspaceVisit): string {
  const customerId = Uuid.safeParse(request.params.key).data;
  if (customerId === undefined) throw notFound("customer");
  return customerId;
}

function back(visit: WorkspaceVisit, query: Readonly<Record<string, string>>): void {
  visit.visit.redirect(visit.address(`/customers/${customerIn(visit)}`, query));
}
