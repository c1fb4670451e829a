import type { z } from "zod";
import { getCustomerMailing, setCustomerMailing } from "../../core/customers/operations/customer-mailing.ts";
import { setCustomerEmail } from "../../core/customers/operations/set-customer-email.ts";
import { counted } from "../../core/kernel/counted.ts";
import { readEmailAddress } from "../../core/kernel/email-address.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { aside, html, keyFacts, link, muted, part, submit, warning } from "../kit/markup.ts";
import { adminsWho, Form, type FormActs, type WorkspaceVisit } from "../kit/page.ts";
import { mailAddress } from "../lists/list.ts";
import { failedList } from "../mails/mail-pages.ts";

const SHOWN = 5;

export type Mailing = z.output<(typeof getCustomerMailing)["output"]>;

const EMAIL = new Form(
  setCustomerEmail,
  {
    email: {
      label: "Billing email set here",
      attributes: html`inputmode="email" maxlength="320" autocomplete="off"`,
      read: (typed) => typed.trim(),
    },
  },
  "The billing email was not saved.",
);

/** How the customer of a key is mailed; null for a key that stands for one invoice without a customer. */
export async function mailingOf(visit: WorkspaceVisit, key: string) {
  const customerId = Uuid.safeParse(key).data;
  return customerId === undefined ? null : visit.call(getCustomerMailing, { customerId });
}

/** Where mail for a customer goes, whose address that is, and what failed; admins change it here. */
export function mailingPart(visit: WorkspaceVisit, mailing: Mailing) {
  const { workspace, isAdmin } = visit;
  const { no_mail: noMail, failed, own_email: own, erp_email: erp, email } = mailing;
  const language = `/mails/${workspace.tenantId}/customers/${mailing.customer_id}`;
  const whose = own === null ? "From the ERP" : "Set here, in place of the ERP's";
  const shown = part(
    "Mails",
    html`${warnings(mailing).map((words) => words && warning(words))}
${failed.length > 0 && failedList(failed.slice(0, SHOWN), workspace.timezone)}
${keyFacts([
  ["Billing email in use", email && [mailAddress(email), html`<br>${aside(whose)}`]],
  ["In the ERP", erp && mailAddress(erp)],
  ["Mailing", noMail ? "Do not mail" : "Allowed"],
])}
${isAdmin && forms(visit, mailing)}`,
    isAdmin && link(language, "Language of mails"),
  );
  return html`<div id="mails">${shown}</div>`;
}

function warnings({ no_mail: noMail, failed, own_email: own, erp_email: erp, email }: Mailing) {
  return [
    email === null && "No billing email is known: nothing of this customer can be collected until there is one.",
    erp !== null &&
      readEmailAddress(erp) === null &&
      `The billing email in the ERP is not a single email address, so no mail can be sent to it. Correct it in the ERP${
        own === null ? ", or set an address here" : ""
      }.`,
    noMail &&
      "This customer is not mailed: Auto Generate makes no links for them. Their invoices can still be collected \
through links that people make.",
    failed.length > 0 &&
      "Mails to this customer failed. An admin sets another billing email, with which they go out again \
while Auto Generate is on, or sends each again on the page of its payment link.",
  ];
}

function forms(visit: WorkspaceVisit, now: Mailing) {
  const { own_email: own, erp_email: erp, no_mail: noMail } = now;
  const path = `/customers/${now.customer_id}`;
  const hint = erp === null ? "The ERP has none." : "Used in place of the ERP's, after every sync too.";
  const instead = erp === null ? "Remove it" : "Use the ERP address";
  const [question, means, words] = noMail
    ? [
        "Mail this customer again",
        "Mails that came due meanwhile go out, and where Auto Generate is on it mails them again.",
        "Mail them again",
      ]
    : [
        "Do not mail this customer",
        "Auto Generate makes no links for them. Scheduled mails are cancelled when they are due, and scheduled again \
once you mail them again.",
        "Stop mails to them",
      ];
  const button = submit(words, html` class="plain" name="mail" value="${noMail ? "yes" : "no"}"`);
  return html`<div class="forms">${EMAIL.view(visit, {
    ...{ path: `${path}/email`, key: "billing", button: "Save billing email", look: "card" },
    now: { email: own },
    words: { email: { hint, ...(own === null && { label: "Set a billing email here" }) } },
    acts: own !== null && html`<button class="plain" name="clear" value="yes">${instead}</button>`,
  })}
${visit.form(`${path}/mailing`, [html`<h3>${question}</h3>`, muted(means), button], { look: "card" })}</div>`;
}

/** What was just done, by the query of the address; null where nothing was. */
export function mailingNotice(visit: WorkspaceVisit, mailing: Mailing | null) {
  const planned = counted(visit.numberIn("mails"), "mail is planned", "mails are planned");
  const why = mailing?.no_mail === true ? " The customer is not mailed." : "";
  const isSame = mailing?.failed.some(({ to }) => to === mailing.email);
  const still = isSame ? " Mails that failed at that address are not sent there again by themselves." : "";
  const looked = mailing?.no_mail === true ? 0 : visit.numberIn("looked");
  const more = `Workflows look at ${counted(looked, "invoice")} now: links that Auto Generate makes are mailed \
there too.`;
  const follow = `${planned}.${why}${still}${looked > 0 ? ` ${more}` : ""}`;
  return visit.note({
    email: `The billing email set here is in use: ${follow}`,
    cleared: `The billing email set here was removed, and the ERP's is in use, if it has one: ${follow}`,
    stopped: "This customer is not mailed any more. Scheduled mails are cancelled when they are due.",
    mailed:
      "This customer is mailed again. Mails of Auto Generate that came due meanwhile go out next, but those of an ERP \
that is disconnected.",
    noted: "The note is kept.",
    note_done: "The note is done.",
    note_open: "The note is open again.",
    note_removed: "The note is removed.",
  });
}

export const MAILING_ADMINS = adminsWho(
  "Only an admin of a workspace writes notes and says how its customers are mailed",
  "Mails",
);

/** The forms about a customer's mails. */
export const MAILING_ACTS: FormActs<WorkspaceVisit> = {
  "/email": {
    async send(visit) {
      const customerId = customerIn(visit);
      const isCleared = visit.field("clear") === "yes";
      const { mails_planned: mails, invoices_looked_at: looked } = isCleared
        ? await visit.call(setCustomerEmail, { customerId, email: null })
        : await EMAIL.send(visit, { customerId });
      const query = { done: isCleared ? "cleared" : "email", mails: String(mails), looked: String(looked) };
      return visit.address(`/customers/${customerId}`, query);
    },
  },
  "/mailing": {
    async send(visit) {
      const noMail = visit.field("mail") !== "yes";
      await visit.call(setCustomerMailing, { customerId: customerIn(visit), noMail });
      return noMail ? "stopped" : "mailed";
    },
  },
};

const customerIn = (visit: WorkspaceVisit) => visit.id("key", "customer");
