import { beforeEach, describe, expect, it } from "vitest";
import { claimLinkMessages } from "../../src/core/payment-links/emails/claim-link-messages.ts";
import { endLinkMessage, readyLinkMessage } from "../../src/core/payment-links/emails/link-messages.ts";
import { cancelPaymentLinkEmail, reschedulePaymentLinkEmail } from "../../src/core/payment-links/operations/emails.ts";
import { disableWorkflow, enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { previewWorkflowMail } from "../../src/core/workflows/operations/preview-workflow-mail.ts";
import { MailError, type Mailer } from "../../src/gateways/mail/mailer.ts";
import { sendLinkEmails } from "../../src/jobs/send-mails.ts";
import type { CustomerRow } from "../../src/store/tables/invoices.ts";
import { emailDue, insertLink, partOf, useOffice } from "../core/workflows/support.ts";
import { changeLink, type EmailedLink, type LinkChange } from "../support/emailed-links.ts";
import { keepingMails } from "../support/outbox.ts";
import { connectAssistant } from "../support/rows.ts";
import { STORES } from "../support/stores.ts";

const TO = "pay@globex.example.test";
/** 09:00 in New York, and the same on the next day. */
const NINE = "2026-03-11T13:00:00.000Z";
const NEXT_NINE = "2026-03-12T13:00:00.000Z";
/** Half a minute before midnight there, between the two. */
const LATE = "2026-03-12T03:59:30.000Z";
const OFFICE = { fromAddress: "no-reply@receivables.example.test", publicOrigin: "https://receivables.example.test" };

describe.each(STORES)("messages to customers on $name", ({ open }) => {
  const { clock, core, office } = useOffice(open);
  let workflowId: string;
  let globex: CustomerRow;
  const { sent, mailer } = keepingMails();
  let urls = 0;
  beforeEach(async () => {
    workflowId = (await office.act(enableWorkflow, { type: "auto_generate" })).id;
    globex = await office.book.customer({ name: "Globex", email: TO });
    sent.length = 0;
  });

  const scheduled = async (row: LinkChange = {}, customer: CustomerRow | string = globex) => {
    const shown = typeof customer === "string" ? { customer_email: customer } : { customer };
    const ids = partOf(await office.book.invoice(shown, [{}]));
    urls += 1;
    return insertLink(core, office.tenantId, ids, {
      url: `https://pay.example.test/l/${urls}`,
      created_by_kind: "workflow",
      created_by_id: workflowId,
      ...emailDue(typeof customer === "string" ? customer : (customer.email ?? TO), NINE),
      ...row,
    });
  };
  const change = (linkId: string, set: LinkChange) =>
    core.store.write(office.tenantId, (tx) => changeLink(tx, office.tenantId, linkId, set));
  const link = async (linkId: string): Promise<EmailedLink> => {
    const found = (await office.links()).find((row) => row.payment_link_id === linkId);
    if (found === undefined) throw new Error("no such link");
    return found;
  };
  const statuses = async (...linkIds: string[]) =>
    (await Promise.all(linkIds.map(link))).map(({ email_status: status }) => status);
  const send = (by: Mailer = mailer) => sendLinkEmails(core, { ...OFFICE, mailer: by });
  const linksPerMessage = () => sent.map(({ text }) => text.match(/https:\S+/g)?.length);
  const person = async () => {
    const scopes = ["receivables:read", "payment_links:write"] as const;
    return (await connectAssistant(core.store, office.tenantId, { role: "admin", scopes })).actor;
  };
  const reschedule = async (linkId: string, at: string) =>
    reschedulePaymentLinkEmail.call(
      await person(),
      { payment_link_id: linkId, send_at: at },
      { core, requestId: "req_test" },
    );

  it("hold all links of a customer, however many, and each link's email its own state [completions.7.one-message] [completions.7.own-email-state]", async () => {
    const linkIds: string[] = [];
    for (let number = 0; number < 40; number += 1) linkIds.push(await scheduled());
    const other = await scheduled({}, await office.book.customer({ name: "Initech", email: TO }));
    const noCustomer = [
      await scheduled({}, "a@b.test"),
      await scheduled({}, "a@b.test"),
      await scheduled({}, "c@b.test"),
    ];
    const [first = "", second = "", third = ""] = linkIds;
    await cancelPaymentLinkEmail.call(await person(), { payment_link_id: first }, { core, requestId: "req_test" });
    await change(second, { state: "paid", paid_at: NINE });
    await change(third, { url: "javascript:alert(1)" });
    clock.set(NINE);
    await Promise.all([send(), send(), send()]);
    expect(linksPerMessage().sort()).toEqual([1, 1, 2, 37]);
    expect(await statuses(first, second, third)).toEqual(["cancelled", "cancelled", "failed"]);
    const rest = await Promise.all(linkIds.slice(3).map(link));
    for (const row of rest) expect(row).toMatchObject({ email_status: "sent", email_to: TO, email_sent_at: NINE });
    expect(new Set(rest.map((row) => row.email_message_id))).toEqual(
      new Set([sent.find(({ text }) => text.length > 2_000)?.messageId]),
    );
    expect(await statuses(other, ...noCustomer)).toEqual(["sent", "sent", "sent", "sent"]);
  });

  it("hold 500 links at most: those beyond go out with the next day's [completions.7.one-message]", async () => {
    const parts = Array.from({ length: 503 }, () => ({}));
    const { invoice, installments } = await office.book.invoice({ customer: globex }, parts);
    const installmentId = installments[0]?.installment_id ?? "";
    const shown = await office.act(previewWorkflowMail, { type: "auto_generate", daysBeforeDue: 365, installmentId });
    expect(shown.text.match(/https:\S+/g)).toHaveLength(500);
    const row = { created_by_kind: "workflow", created_by_id: workflowId, ...emailDue(TO, NINE) } as const;
    for (const { installment_id: installmentId } of installments)
      await insertLink(core, office.tenantId, { invoiceId: invoice.invoice_id, installmentId }, row);
    clock.set(NINE);
    await send();
    await send();
    expect(linksPerMessage()).toEqual([500]);
    clock.set(NEXT_NINE);
    await send();
    expect(linksPerMessage()).toEqual([500, 3]);
  });

  it("are the same message after a worker was lost, without the links that ended meanwhile [completions.7.one-message] [completions.7.lease-given-back]", async () => {
    const [first, second] = [await scheduled(), await scheduled()];
    clock.set(NINE);
    const [lost] = await claimLinkMessages(core, { limit: 5, leaseMs: 60_000 });
    expect(await send()).toBe(0);
    await change(first, { state: "deactivated", email_status: "cancelled" });
    const late = await scheduled();
    clock.advance(60_000);
    await send();
    expect(linksPerMessage()).toEqual([1]);
    expect(sent[0]?.messageId).toBe(lost?.message_id);
    expect(await statuses(first, second, late)).toEqual(["cancelled", "sent", "scheduled"]);
    // What was not in it waits for the next day's: the customer had a message today.
    clock.advance(60_000);
    await send();
    expect(await link(late)).toMatchObject({ email_send_at: NEXT_NINE, email_status: "scheduled" });
    clock.set(NEXT_NINE);
    await send();
    expect(sent).toHaveLength(2);
  });

  it("are sent for no link that was cancelled between their claim and their writing [completions.7.own-email-state]", async () => {
    const [first, second] = [await scheduled(), await scheduled()];
    clock.set(NINE);
    const [message] = await claimLinkMessages(core, { limit: 5, leaseMs: 60_000 });
    if (message === undefined) throw new Error("nothing was due");
    await change(first, { state: "deactivated", email_status: "cancelled" });
    const ready = await readyLinkMessage(core, message);
    if (ready === null) throw new Error("nothing is left to send");
    expect(ready.compose().text).not.toContain((await link(first)).url);
    await endLinkMessage(core, message, { status: "sent" }, ready);
    expect(await statuses(first, second)).toEqual(["cancelled", "sent"]);
  });

  it("are of the day they were claimed on, though the server takes one after midnight [completions.7.one-message]", async () => {
    const beforeMidnight = await scheduled({ email_send_at: LATE, email_next_attempt_at: LATE });
    clock.set(LATE);
    const slow: Mailer = {
      async send(message) {
        clock.advance(60_000);
        return mailer.send(message);
      },
    };
    await send(slow);
    expect(await link(beforeMidnight)).toMatchObject({ email_status: "sent", email_sent_at: LATE });
    const today = await scheduled({ email_send_at: NEXT_NINE, email_next_attempt_at: NEXT_NINE });
    clock.set(NEXT_NINE);
    await send();
    expect(await statuses(today)).toEqual(["sent"]);
  });

  it("are tried again a second after an attempt that failed unexpectedly, and after minutes where the server is out [completions.7.lease-given-back]", async () => {
    const linkIds = [await scheduled(), await scheduled()];
    clock.set(NINE);
    let failure: Error = new Error("nobody expected this");
    const failing: Mailer = { send: () => Promise.reject(failure) };
    await send(failing);
    clock.advance(1_000);
    failure = new MailError("temporary", "The mail server is out.");
    await send(failing);
    clock.advance(299_000);
    expect(await send()).toBe(0);
    clock.advance(1_000);
    await send();
    expect(linksPerMessage()).toEqual([2]);
    expect(await statuses(...linkIds)).toEqual(["sent", "sent"]);
  });

  it("wait for a link of theirs that is being made, as long as its first lease [completions.7.one-message]", async () => {
    const made = await scheduled();
    clock.set("2026-03-11T12:59:00.000Z");
    const reserved = await scheduled({ state: "reserved", url: null, next_attempt_at: "2026-03-11T13:01:00.000Z" });
    clock.set(NINE);
    expect(await send()).toBe(0);
    await change(reserved, { state: "active", url: "https://pay.example.test/l/r", next_attempt_at: null });
    clock.advance(2_000);
    await send();
    expect(linksPerMessage()).toEqual([2]);
    expect(await statuses(made, reserved)).toEqual(["sent", "sent"]);

    clock.set("2026-03-12T12:59:30.000Z");
    const at = { email_send_at: NEXT_NINE, email_next_attempt_at: NEXT_NINE };
    await scheduled(at);
    // Somebody keeps asking a provider that does not answer.
    await scheduled({ ...at, state: "reserved", url: null, next_attempt_at: "2026-03-12T20:00:00.000Z" });
    clock.set(NEXT_NINE);
    expect(await send()).toBe(0);
    clock.set("2026-03-12T13:01:30.000Z");
    await send();
    expect(linksPerMessage()).toEqual([2, 1]);
  });

  it("go out once a day, save what a person moved to another time [completions.7.one-message]", async () => {
    const early = await scheduled();
    const later = { email_send_at: "2026-03-11T20:00:00.000Z", email_next_attempt_at: "2026-03-11T20:00:00.000Z" };
    const sameDay = await scheduled(later);
    const moved = await scheduled();
    await reschedule(moved, "2026-03-11T18:00:00.000Z");
    clock.set(NINE);
    await send();
    expect(linksPerMessage()).toEqual([1]);
    clock.set("2026-03-11T18:00:00.000Z");
    await send();
    expect(linksPerMessage()).toEqual([1, 1]);
    expect(await statuses(early, moved, sameDay)).toEqual(["sent", "sent", "scheduled"]);
    clock.set("2026-03-11T20:00:00.000Z");
    expect(await send()).toBe(0);
    expect(await link(sameDay)).toMatchObject({ email_send_at: NEXT_NINE, email_next_attempt_at: NEXT_NINE });
    const tomorrow = await scheduled({ email_send_at: NEXT_NINE, email_next_attempt_at: NEXT_NINE });
    clock.set(NEXT_NINE);
    await send();
    expect(linksPerMessage()).toEqual([1, 1, 2]);
    expect(await statuses(sameDay, tomorrow)).toEqual(["sent", "sent"]);
  });

  it("are cancelled with the workflow that scheduled them, save those being sent [completions.7.disable]", async () => {
    const sending = await scheduled();
    clock.set(NINE);
    await claimLinkMessages(core, { limit: 5, leaseMs: 60_000 });
    const waiting = await scheduled({}, await office.book.customer({ email: "other@globex.example.test" }));
    const reserved = await scheduled({ state: "reserved", url: null });
    const byKey = await scheduled({ created_by_kind: "api_key" });
    const disable = (kept = false) => office.act(disableWorkflow, { type: "auto_generate", keepScheduled: kept });
    expect(await disable(true)).toMatchObject({ enabled: false, emails_cancelled: 0 });
    expect(await statuses(waiting)).toEqual(["scheduled"]);
    expect(await disable()).toMatchObject({ emails_cancelled: 2 });
    expect(await statuses(sending, byKey)).toEqual(["scheduled", "scheduled"]);
    expect(await statuses(waiting, reserved)).toEqual(["cancelled", "cancelled"]);
    expect((await link(waiting)).state).toBe("active");
    expect(await disable()).toMatchObject({ emails_cancelled: 0 });
  });
});
