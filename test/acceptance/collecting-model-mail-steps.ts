import fc from "fast-check";
import { expect } from "vitest";
import { setCustomerEmail } from "../../src/core/customers/operations/set-customer-email.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { insertEmails, readyEmails } from "../../src/core/payment-links/emails/link-email-queries.ts";
import { resendPaymentLinkEmail } from "../../src/core/payment-links/operations/emails.ts";
import { MailError } from "../../src/gateways/mail/mailer.ts";
import { sendLinkEmails } from "../../src/jobs/send-mails.ts";
import { MAILED } from "./collecting-model-book.ts";
import { mail, mailAgain, mailedTo, nextNine } from "./collecting-model-mails.ts";
import { codeOf, latest, pick, step } from "./collecting-model-step.ts";
import { accountWith } from "./collecting-model-world.ts";

/** An active link on an invoice of the ERP's becomes one that Auto Generate made and mails. */
export const mailLink = latest.map((which) =>
  step(`the workflow mails link ${which}`, async ({ core, tenantId, workflowId, book }) => {
    const free = book.links.filter(({ state, email, part }) => {
      return state === "active" && email === null && part.invoice.local === null;
    });
    const link = pick(free, which);
    if (link === undefined) return;
    const email = { to: mailedTo(book, link.part.invoice), sendAt: nextNine(book.now) };
    const scheduled = { linkId: link.id, to: email.to, sendAt: new Date(email.sendAt).toISOString() };
    await core.store.write(tenantId, async (tx) => {
      await tx
        .updateTable("payment_links")
        .set({ created_by_kind: "workflow", created_by_id: workflowId })
        .where("tenant_id", "=", tenantId)
        .where("payment_link_id", "=", link.id)
        .execute();
      await insertEmails(tx, tenantId, [scheduled]);
      await readyEmails(tx, tenantId, [link.id]);
    });
    link.email = { ...email, status: "scheduled", sentAt: null };
  }),
);

/** What is due is mailed, to a mailbox that is there or is not. */
const mailing = (outcome: "sent" | "failed") =>
  step(`mails are ${outcome}`, async ({ core, delivered, book }) => {
    const refusal = { codes: "550 5.1.1", words: "no such user" };
    const mailer = {
      async send({ text }: { readonly text: string }) {
        if (outcome === "failed") throw new MailError("permanent", "The mailbox does not exist.", refusal);
        delivered.push(text);
        return { messageId: "<1@receivables.example.test>", response: "250 OK" };
      },
    };
    const office = { mailer, fromAddress: "billing@receivables.example.test", publicOrigin: "https://r.example" };
    await sendLinkEmails(core, office);
    mail(book, outcome);
  });

export const mailPass = fc.constantFrom("sent", "failed").map(mailing);
export const bounce = fc.constant(mailing("failed"));

const ADDRESSES = [MAILED, "new@globex.example", "later@globex.example"] as const;

/** The workspace gives the customer an address of its own, or takes it back. */
export const setAddress = fc.constantFrom(null, ...ADDRESSES).map((email) =>
  step(`the customer's email is ${email} here`, async ({ core, tenantId, customerId, book }) => {
    await operate(core, tenantId, setCustomerEmail, { customerId, email });
    book.address.own = email;
    // All invoices of the customer follow, one that could not be read lately too.
    for (const { seen } of book.billed) seen.email = null;
  }),
);

export const changeAddress = fc.constantFrom(...ADDRESSES).map((email) =>
  step(`in the ERP, the customer's email is ${email}`, async ({ erp, book }) => {
    erp.putAccounts(accountWith(email));
    book.address.erp = email;
  }),
);

export const resend = latest.map((which) =>
  step(`mail link ${which} again`, async ({ core, tenantId, book }) => {
    const link = pick(
      book.links.filter(({ email }) => email !== null),
      which,
    );
    if (link === undefined) return;
    const code = await codeOf(operate(core, tenantId, resendPaymentLinkEmail, { payment_link_id: link.id }));
    const { email } = link;
    const isDone = email?.status === "scheduled" || (email?.status === "failed" && mailAgain(book, link));
    expect(code).toBe(isDone ? null : "conflict");
  }),
);
