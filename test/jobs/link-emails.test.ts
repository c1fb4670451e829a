import { describe, expect, it } from "vitest";
import { claimLinkMessages } from "../../src/core/payment-links/emails/claim-link-messages.ts";
import { deactivateLink } from "../../src/core/payment-links/withdrawing/deactivate-link.ts";
import { connectMailer } from "../../src/gateways/mail/index.ts";
import { MailError, type Mailer } from "../../src/gateways/mail/mailer.ts";
import { sendLinkEmails } from "../../src/jobs/send-mails.ts";
import type { InstallmentRow, InvoiceRow } from "../../src/store/tables/invoices.ts";
import { emailDue, insertLink, partOf, useOffice } from "../core/workflows/support.ts";
import { refusal as smtpRefusal, smtpServer } from "../gateways/mail/support.ts";
import { changeLink, emailedLinks, type LinkChange } from "../support/emailed-links.ts";
import { outbox } from "../support/outbox.ts";
import { A_STORE } from "../support/thorough.ts";

const MINUTE = 60_000;
const TO = "pay@globex.example.test";
const ORIGIN = "https://receivables.example.test";
const FROM = "no-reply@receivables.example.test";
const SEND_AT = "2026-03-11T13:00:00.000Z";

describe.each(A_STORE)("payment-link emails on $name", ({ open }) => {
  const { clock, core, office } = useOffice(open);

  const scheduled = async (
    row: LinkChange = {},
    about: { invoice?: Partial<InvoiceRow>; installment?: Partial<InstallmentRow> } = {},
  ) => {
    const invoice = { customer_name: "Globex", customer_email: TO, ...about.invoice };
    const ids = partOf(await office.book.invoice(invoice, [about.installment ?? {}]));
    return insertLink(core, office.tenantId, ids, {
      ...emailDue(TO, SEND_AT),
      ...row,
    });
  };
  const email = async (linkId: string) => {
    const links = await core.store.read(office.tenantId, (tx) => emailedLinks(tx, office.tenantId));
    const found = links.find((link) => link.payment_link_id === linkId);
    if (found === undefined) throw new Error("no such link");
    return found;
  };
  const messageId = async (linkId: string): Promise<string> => (await email(linkId)).email_message_id ?? "";
  const change = (linkId: string, set: LinkChange) =>
    core.store.write(office.tenantId, (tx) => changeLink(tx, office.tenantId, linkId, set));
  const send = (mailer: Mailer) => sendLinkEmails(core, { mailer, fromAddress: FROM, publicOrigin: ORIGIN });
  const smtp = async (options: Parameters<typeof smtpServer>[0] = {}) => {
    const { port, delivered } = await smtpServer(options);
    return { mailer: connectMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, outboxFolder: "/nowhere" }), delivered };
  };

  it("go out when they are due, once, with what the workspace says of the link [completions.7.mail-due]", async () => {
    const linkId = await scheduled(
      {},
      { invoice: { invoice_number: "INV-7" }, installment: { due_date: "2026-03-31" } },
    );
    const { mailer, delivered } = await smtp();
    expect(await send(mailer)).toBe(0);
    clock.set("2026-03-11T12:59:59.999Z");
    expect(await send(mailer)).toBe(0);
    clock.set(SEND_AT);
    expect(await send(mailer)).toBe(1);
    expect(await send(mailer)).toBe(0);
    expect(delivered).toHaveLength(1);
    const [mail] = delivered;
    expect(mail).toMatchObject({ from: FROM, to: [TO] });
    expect(mail?.email).toMatchObject({
      messageId: `<${await messageId(linkId)}@receivables.example.test>`,
      subject: "Invoice INV-7 from Acme Ltd: $100.00, due on March 31, 2026",
      from: { name: "Acme Ltd", address: FROM },
    });
    for (const part of [mail?.email.text, mail?.email.html])
      for (const told of ["Acme Ltd", "Globex", "INV-7", "$100.00", "March 31, 2026", "https://pay.example.test/l/1"])
        expect(part).toContain(told);
    expect(await email(linkId)).toMatchObject({ email_status: "sent", email_to: TO, email_sent_at: SEND_AT });
  });

  it("go to the billing email of the moment [completions.7.mail-recipient]", async () => {
    const linkId = await scheduled({ email_to: "old@globex.example.test" });
    clock.set(SEND_AT);
    const { mailer, delivered } = await smtp();
    await send(mailer);
    expect(delivered.map(({ to }) => to)).toEqual([[TO]]);
    expect(await email(linkId)).toMatchObject({ email_status: "sent", email_to: TO });
  });

  it.each<[why: string, row: LinkChange, about: Parameters<typeof scheduled>[1]]>([
    ["the link was paid", { state: "paid", paid_at: SEND_AT }, {}],
    ["the link was withdrawn", { state: "deactivated", deactivated_at: SEND_AT }, {}],
    ["a payment of it was noticed", { paid_at: SEND_AT }, {}],
    ["the installment is disputed", {}, { installment: { not_collectible_reason: "disputed" } }],
    ["the invoice is retired", {}, { installment: { not_collectible_reason: "retired" } }],
    ["less is owed than the link asks for", {}, { installment: { collection_outstanding: "99.99" } }],
    ["there is no billing email any more", {}, { invoice: { customer_email: null } }],
  ])("are cancelled where %s [completions.7.mail-cancelled]", async (_, row, about) => {
    const linkId = await scheduled(row, about);
    const { mailer, names } = outbox();
    clock.set(SEND_AT);
    expect(await send(mailer)).toBe(1);
    expect(names()).toEqual([]);
    expect(await email(linkId)).toMatchObject({ email_status: "cancelled", email_sent_at: null });
  });

  it("are cancelled with their link before they are due, and wait for one that is being made [completions.7.mail-cancelled]", async () => {
    const ended = await scheduled();
    const { tenantId } = office;
    const { invoice_id: invoiceId } = await email(ended);
    await core.store.write(tenantId, (tx) => deactivateLink(tx, core, { tenantId, linkId: ended, invoiceId }));
    const reserved = await scheduled({ state: "reserved", url: null });
    const { mailer, names } = outbox();
    expect(await send(mailer)).toBe(0);
    expect(await email(ended)).toMatchObject({ email_status: "cancelled" });
    clock.set(SEND_AT);
    expect(await send(mailer)).toBe(0);
    await change(reserved, { state: "active", url: "https://pay.example.test/l/2" });
    expect(await send(mailer)).toBe(1);
    expect(names()).toEqual([`${await messageId(reserved)}.eml`]);
  });

  it("are tried again, less and less often, while the server cannot take them, for about a day [completions.7.mail-retried]", async () => {
    const linkId = await scheduled();
    const attempts: string[] = [];
    const { mailer, delivered } = await smtp({
      onRcptTo(_address, _session, callback) {
        attempts.push(clock.now().toISOString());
        callback(smtpRefusal(451, "try again later"));
      },
    });
    clock.set(SEND_AT);
    for (let round = 0; round < 40; round += 1) {
      const { email_next_attempt_at: next, email_status: status } = await email(linkId);
      if (status !== "scheduled") break;
      clock.set(next ?? "");
      expect(await send(mailer)).toBe(1);
    }
    expect(delivered).toEqual([]);
    expect(await email(linkId)).toMatchObject({ email_status: "failed", email_sent_at: null });
    const minutes = attempts.map((at) => (Date.parse(at) - Date.parse(SEND_AT)) / MINUTE);
    expect(minutes.slice(0, 6)).toEqual([0, 1, 6, 21, 51, 111]);
    expect(minutes.at(-1)).toBeGreaterThan(20 * 60);
    expect(minutes.at(-1)).toBeLessThan(28 * 60);
  });

  it("fail for good where the server refuses them, or they cannot be written [completions.7.mail-failed]", async () => {
    const refused = await scheduled();
    const badAddress = await scheduled({}, { invoice: { customer_email: "a@b@c" } });
    const badLink = await scheduled({ url: "javascript:alert(1)" });
    clock.set(SEND_AT);
    const { mailer, delivered } = await smtp({
      onRcptTo: (_address, _session, callback) => callback(smtpRefusal(550, "no such user")),
    });
    expect(await send(mailer)).toBe(2);
    expect(delivered).toEqual([]);
    for (const linkId of [refused, badAddress, badLink])
      expect(await email(linkId)).toMatchObject({ email_status: "failed", email_attempts: 1 });
  });

  it("stay one message though the worker was lost between the mailer's word and ours [completions.7.mail-crash]", async () => {
    const linkId = await scheduled();
    const { mailer, names, mails } = outbox();
    clock.set(SEND_AT);
    const lost: Mailer = {
      async send(message) {
        await mailer.send(message);
        throw new Error("the process is gone");
      },
    };
    expect(await send(lost)).toBe(1);
    const file = `${await messageId(linkId)}.eml`;
    expect(names()).toEqual([file]);
    expect(await email(linkId)).toMatchObject({ email_status: "scheduled" });
    expect(await send(mailer)).toBe(0);
    clock.advance(1_000);
    expect(await send(mailer)).toBe(1);
    expect(names()).toEqual([file]);
    expect(await email(linkId)).toMatchObject({ email_status: "sent" });
    expect(await mails()).toMatchObject([{ to: [{ name: "", address: TO }] }]);
  });

  it("count as sent though their link was withdrawn while they went out [completions.7.mail-crash]", async () => {
    const linkId = await scheduled();
    const { mailer } = outbox();
    clock.set(SEND_AT);
    const slow: Mailer = {
      async send(message) {
        const accepted = await mailer.send(message);
        await change(linkId, { state: "deactivated", email_status: "cancelled" });
        return accepted;
      },
    };
    await send(slow);
    expect(await email(linkId)).toMatchObject({ email_status: "sent", email_sent_at: SEND_AT });
  });

  it("leave what a slower worker says aside once another has taken over [completions.7.mail-once]", async () => {
    const linkId = await scheduled();
    clock.set(SEND_AT);
    const { mailer, names } = outbox();
    const stuck: Mailer = {
      async send() {
        clock.advance(6 * MINUTE);
        await send(mailer);
        throw new MailError("permanent", "The mail server refused the message.");
      },
    };
    await send(stuck);
    expect(names()).toEqual([`${await messageId(linkId)}.eml`]);
    expect(await email(linkId)).toMatchObject({ email_status: "sent" });
    expect(await claimLinkMessages(core, { limit: 5, leaseMs: MINUTE })).toEqual([]);
  });
});
