import { beforeEach, describe, expect, it, vi } from "vitest";
import { upsertMailing } from "../../../src/core/customers/mailing-queries.ts";
import {
  getCustomerMailing,
  listMailingProblems,
  setCustomerMailing,
} from "../../../src/core/customers/operations/customer-mailing.ts";
import { setCustomerEmail } from "../../../src/core/customers/operations/set-customer-email.ts";
import { lockCustomer } from "../../../src/core/customers/queries.ts";
import { NO_CUSTOMER } from "../../../src/core/invoices/delivery/delivered-invoice.ts";
import { setMailSettings } from "../../../src/core/mail/operations/set-mail-settings.ts";
import { disableWorkflow, enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import { planEnabling } from "../../../src/core/workflows/plan-enabling.ts";
import { smtpMailer } from "../../../src/gateways/mail/index.ts";
import { sendLinkEmails } from "../../../src/jobs/send-mails.ts";
import { refusal, smtpServer } from "../../gateways/mail/support.ts";
import { emailedLinks } from "../../support/emailed-links.ts";
import { waiting } from "../../support/locks.ts";
import { storesOf } from "../../support/stores.ts";
import { emailDue, insertLink, partOf, useOffice } from "../workflows/support.ts";

const TO = "pay@globex.example.test";
const SEND_AT = "2026-03-11T13:00:00.000Z";

describe.each(storesOf(import.meta.url))("how a customer is mailed on $name", ({ name, open }) => {
  const { clock, core, office } = useOffice(open, "2026-03-11T13:00:00.000Z");
  let customerId: string;
  beforeEach(async () => {
    customerId = (await office.book.customer({ name: "Globex", email: TO })).customer_id;
  });

  async function scheduled(number: string): Promise<string> {
    const ids = partOf(
      await office.book.invoice(
        { invoice_number: number, customer_id: customerId, customer_name: "Globex", customer_email: TO },
        [{ due_date: "2026-03-31" }],
      ),
    );
    const email = emailDue(TO, SEND_AT);
    return insertLink(core, office.tenantId, ids, email);
  }
  /** Auto Generate has scheduled a mail, and the customer is mailed nothing since. */
  async function stoppedWithMail() {
    const facts = { customer_id: customerId, customer_name: "Globex", customer_email: TO };
    await office.book.invoice(facts, [{ due_date: "2026-03-01" }]);
    await office.act(enableWorkflow, { type: "auto_generate" });
    await office.run();
    await set({ noMail: true });
  }
  async function send(options: Parameters<typeof smtpServer>[0] = {}) {
    const { port, delivered } = await smtpServer(options);
    const mailer = smtpMailer(`smtp://127.0.0.1:${port}`);
    await sendLinkEmails(core, { mailer, fromAddress: "a@b.example", publicOrigin: "https://r.example" });
    return delivered;
  }
  const statuses = async () =>
    (await core.store.read(office.tenantId, (tx) => emailedLinks(tx, office.tenantId))).map(
      (link) => link.email_status,
    );
  const set = (change: { locale?: "de-CH" | null; noMail?: boolean }) =>
    office.act(setCustomerMailing, { customerId, ...change });
  const shown = () => office.act(getCustomerMailing, { customerId });

  it("not at all: what is scheduled is cancelled when it is due [completions.7.no-mail]", async () => {
    await scheduled("INV-1");
    await set({ noMail: true });
    expect(await send()).toEqual([]);
    expect(await statuses()).toEqual(["cancelled"]);
    expect((await office.act(listMailingProblems, {})).not_mailed).toMatchObject([{ name: "Globex", no_mail: true }]);
    await set({ noMail: false });
    await scheduled("INV-2");
    expect(await send()).toHaveLength(1);
    clock.set("2026-03-12T13:00:00.000Z");
    expect(await send()).toHaveLength(1);
    expect(await statuses()).toEqual(["sent", "sent"]);
  });

  it("not at all: Auto Generate plans and makes nothing for them, until they are mailed again [completions.7.no-mail]", async () => {
    const type = "auto_generate";
    const customer = await office.book.customer({ email: TO });
    await office.book.invoice({ customer }, [{ due_date: "2026-03-01" }]);
    const mailing = (noMail: boolean) => office.act(setCustomerMailing, { customerId: customer.customer_id, noMail });
    await mailing(true);
    expect(await planEnabling(core, office.tenantId, { type })).toMatchObject({ links: 0, messages: 0, not_mailed: 1 });
    await office.act(enableWorkflow, { type });
    await office.run();
    expect(await statuses()).toEqual([]);
    await mailing(false);
    await office.run();
    expect(await statuses()).toEqual(["scheduled"]);
    await mailing(true);
    expect(await office.act(disableWorkflow, { type })).toMatchObject({ emails_cancelled: 1 });
    expect(await planEnabling(core, office.tenantId, { type })).toMatchObject({ links: 0, emails_again: 0 });
  });

  it("not at all: what Auto Generate's emails came due with goes out once they are mailed again [completions.7.no-mail]", async () => {
    await stoppedWithMail();
    clock.set("2026-03-12T23:00:00.000Z");
    expect(await send()).toEqual([]);
    expect(await statuses()).toEqual(["cancelled"]);
    await office.act(disableWorkflow, { type: "auto_generate" });
    await set({ noMail: false });
    expect(await statuses()).toEqual(["cancelled"]);
    await set({ noMail: true });
    await office.act(enableWorkflow, { type: "auto_generate" });
    clock.set("2026-03-13T23:00:00.000Z");
    expect(await send()).toEqual([]);
    expect(await statuses()).toEqual(["cancelled"]);
    await set({ noMail: false });
    expect(await statuses()).toEqual(["scheduled"]);
    clock.set("2026-03-14T23:00:00.000Z");
    expect(await send()).toHaveLength(1);
    await set({ noMail: true });
    await set({ noMail: false });
    expect(await statuses()).toEqual(["sent"]);
  });

  it("not at all: what is sent though Auto Generate is off goes out once they are mailed again [completions.7.no-mail]", async () => {
    await stoppedWithMail();
    await office.act(disableWorkflow, { type: "auto_generate", keepScheduled: true });
    clock.set("2026-03-12T23:00:00.000Z");
    expect(await send()).toEqual([]);
    expect(await statuses()).toEqual(["cancelled"]);
    clock.set("2026-03-20T23:00:00.000Z");
    await set({ noMail: false });
    // Nobody counts on it any more.
    expect(await statuses()).toEqual(["cancelled"]);
    await set({ noMail: true });
    clock.set("2026-03-18T23:00:00.000Z");
    await set({ noMail: false });
    clock.set("2026-03-19T23:00:00.000Z");
    expect(await send()).toHaveLength(1);
    expect(await statuses()).toEqual(["sent"]);
  });

  it("again where a mail failed and their address was corrected while Auto Generate was off, once it is on [completions.7.rejected]", async () => {
    await stoppedWithMail();
    await set({ noMail: false });
    clock.set("2026-03-12T23:00:00.000Z");
    await send({ onRcptTo: (_address, _session, callback) => callback(refusal(550, "5.1.1 no such user")) });
    expect(await statuses()).toEqual(["failed"]);
    await office.act(disableWorkflow, { type: "auto_generate" });
    await office.act(setCustomerEmail, { customerId, email: "billing@globex.example.test" });
    expect(await statuses()).toEqual(["failed"]);
    expect(await planEnabling(core, office.tenantId, { type: "auto_generate" })).toMatchObject({ emails_again: 1 });
    await office.act(enableWorkflow, { type: "auto_generate" });
    clock.set("2026-03-13T23:00:00.000Z");
    expect(await send()).toHaveLength(1);
    expect(await statuses()).toEqual(["sent"]);
  });

  it.skipIf(name === "the embedded store")(
    "again, also while one that came due is being cancelled [completions.7.no-mail]",
    async () => {
      await stoppedWithMail();
      clock.set("2026-03-12T23:00:00.000Z");
      const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
      const { promise: isAllowed, resolve: allowed } = Promise.withResolvers<void>();
      const allowing = core.store.write(office.tenantId, async (tx) => {
        await lockCustomer(tx, office.tenantId, customerId);
        allowed();
        await goesOn;
        const row = { tenant_id: office.tenantId, customer_id: customerId, locale: null, no_mail: false };
        await upsertMailing(tx, { ...row, updated_at: clock.now().toISOString() });
      });
      await isAllowed;
      const sending = send();
      await vi.waitFor(async () => expect(await waiting(core.store)).toBe(1));
      goOn();
      await Promise.all([allowing, sending]);
      expect(await statuses()).toEqual(["scheduled"]);
    },
  );

  it("in their own language, or else the workspace's [completions.7.mail-languages]", async () => {
    await scheduled("INV-1");
    await office.act(setMailSettings, {
      locale: "fr-FR",
      postalAddress: "1 rue A\r\n\u202e\n75001 Paris",
      contact: "Zoé",
    });
    const [french] = await send();
    expect(french?.email.subject?.replace(/\s/g, " ")).toBe(
      "Facture INV-1 de Acme Ltd : 100,00 $US, à régler au plus tard le 31 mars 2026",
    );
    expect(french?.email.text).toMatch(/Contactez\s: Zoé\./);
    expect(french?.email.text).toMatch(/-- \nAcme Ltd\n1 rue A\n75001 Paris\n*$/);
    clock.set("2026-03-12T13:00:00.000Z");
    await scheduled("INV-2");
    await set({ locale: "de-CH" });
    const [german] = await send();
    expect(german?.email.subject).toMatch(/^Rechnung INV-2 von Acme Ltd über/);
    expect(german?.email.html).toContain('lang="de-CH"');
    expect(await shown()).toMatchObject({ locale: "de-CH", no_mail: false, email: TO });
  });

  it("in English as the workspace's country writes it, unless another is chosen [completions.7.mail-country]", async () => {
    await scheduled("INV-1");
    await office.act(setMailSettings, { contact: "Zoé" });
    const [american] = await send();
    expect(american?.email.subject).toBe("Invoice INV-1 from Acme Ltd: $100.00, due on March 31, 2026");
    await office.act(setMailSettings, { locale: "en-GB" });
    clock.set("2026-03-12T13:00:00.000Z");
    await scheduled("INV-2");
    const [british] = await send();
    expect(british?.email.subject).toBe("Invoice INV-2 from Acme Ltd: US$100.00, due on 31 March 2026");
  });

  it("and what a mail server rejects is shown with what it means, once for each message [completions.7.rejected]", async () => {
    await scheduled("INV-1");
    await scheduled("INV-2");
    await send({
      onRcptTo: (_address, _session, callback) => callback(refusal(550, "5.1.1 <script> no such user here")),
    });
    expect(await statuses()).toEqual(["failed", "failed"]);
    const { failed } = await shown();
    expect(failed).toEqual([
      {
        customer_id: customerId,
        customer_name: "Globex",
        to: TO,
        failed_at: SEND_AT,
        codes: "550 5.1.1",
        reason: "The mailbox does not exist.",
        links: 2,
      },
    ]);
    expect((await office.act(listMailingProblems, {})).failed).toEqual(failed);
  });

  it("at an address set here is not for invoices that name no customer, which are kept as one's [completions.7.override]", async () => {
    const { customer_id: nobody } = await office.book.customer({ erp_customer_id: NO_CUSTOMER, email: null });
    const email = "bar@example.test";
    const error = await office.act(setCustomerEmail, { customerId: nobody, email }).catch((cause) => cause);
    expect(error).toMatchObject({ code: "conflict", message: expect.stringContaining("names no customer") });
    expect(await office.act(setCustomerEmail, { customerId: nobody, email: null })).toMatchObject({ email: null });
  });
});
