import { beforeEach, describe, expect, it } from "vitest";
import { messagesOf } from "../../src/core/payment-links/emails/link-email-queries.ts";
import { showLinkMail } from "../../src/core/payment-links/operations/show-link-mail.ts";
import { enableWorkflow, planWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { previewWorkflowMail } from "../../src/core/workflows/operations/preview-workflow-mail.ts";
import { MailError } from "../../src/gateways/mail/mailer.ts";
import { sendLinkEmails } from "../../src/jobs/send-mails.ts";
import { emailDue, insertLink, partOf, useOffice } from "../core/workflows/support.ts";
import { actAs } from "../support/acting.ts";
import { keepingMails } from "../support/outbox.ts";
import { rowsOf, setRows } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";

const TO = "payables@accountants.example.test";
/** 09:00 in New York. */
const NINE = "2026-03-11T13:00:00.000Z";
const OFFICE = { fromAddress: "no-reply@receivables.example.test", publicOrigin: "https://receivables.example.test" };

describe.each(STORES)("customers whom the service does not know, at one address, on $name", ({ open }) => {
  const { clock, core, office } = useOffice(open);
  const { sent, mailer } = keepingMails();
  beforeEach(() => void sent.splice(0));

  /** Of invoices that no ERP has. */
  const debts = async () => {
    const parts = [];
    for (const customer_name of ["Alpha Bakery", "Beta Garage", "Alpha Bakery"])
      parts.push(partOf(await office.book.invoice({ customer_name, customer_email: TO }, [{}])));
    return parts;
  };

  it("have messages of their own, as is told before [completions.7.one-message]", async () => {
    const { id: workflowId } = await office.act(enableWorkflow, { type: "auto_generate" });
    const row = { created_by_kind: "workflow", created_by_id: workflowId, ...emailDue(TO, NINE) } as const;
    const ids: string[] = [];
    for (const part of await debts())
      ids.push(
        await insertLink(core, office.tenantId, part, { url: `https://pay.example.test/${ids.length}`, ...row }),
      );
    const who = { tenantId: office.tenantId, memberId: office.assignee.memberId };
    const shown = await Promise.all(ids.map((payment_link_id) => actAs(core, who, showLinkMail, { payment_link_id })));
    expect(shown.map(({ others }) => others)).toEqual([1, 0, 1]);
    const told = await core.store.read(office.tenantId, (tx) => messagesOf(tx, office.tenantId, ids));
    expect(told).toMatchObject({ messages: 2, links: 3 });
    clock.set(NINE);
    await Promise.all([1, 2].map(() => sendLinkEmails(core, { ...OFFICE, mailer })));
    expect(sent.map(({ text }) => text.match(/https:\S+/g)?.length).sort()).toEqual([1, 2]);
    for (const { text } of sent) expect(text.includes("Alpha Bakery")).toBe(!text.includes("Beta Garage"));
  });

  it("leave a message that was tried before one of them was renamed [completions.7.one-message]", async () => {
    const { id: workflowId } = await office.act(enableWorkflow, { type: "auto_generate" });
    const row = { created_by_kind: "workflow", created_by_id: workflowId, ...emailDue(TO, NINE) } as const;
    for (const part of await debts())
      await insertLink(core, office.tenantId, part, { url: "https://pay.example.test/1", ...row });
    clock.set(NINE);
    const away = { ...mailer, send: () => Promise.reject(new MailError("temporary", "The mail server is out.")) };
    await sendLinkEmails(core, { ...OFFICE, mailer: away });
    expect(sent).toEqual([]);
    const [first] = await rowsOf(core.store, office.tenantId, "invoices", { customer_name: "Alpha Bakery" });
    const renamed = { invoice_id: first?.invoice_id ?? "" };
    await setRows(core.store, office.tenantId, "invoices", { customer_name: "Gamma Foods" }, renamed);
    clock.set("2026-03-11T15:00:00.000Z");
    for (let round = 0; round < 3; round += 1) await sendLinkEmails(core, { ...OFFICE, mailer });
    const named = sent.map(({ text }) =>
      ["Alpha Bakery", "Beta Garage", "Gamma Foods"].filter((name) => text.includes(name)),
    );
    expect(named.sort()).toEqual([["Alpha Bakery"], ["Beta Garage"], ["Gamma Foods"]]);
  });

  it("are planned apart [completions.7.one-message]", async () => {
    const [, { installmentId } = { installmentId: "" }] = await debts();
    const { recipients } = await office.act(planWorkflow, { type: "auto_generate", daysBeforeDue: 365 });
    expect(recipients.map(({ customer, links }) => [customer, links]).sort()).toEqual([
      ["Alpha Bakery", 2],
      ["Beta Garage", 1],
    ]);
    const { text } = await office.act(previewWorkflowMail, {
      type: "auto_generate",
      daysBeforeDue: 365,
      installmentId,
    });
    expect([text.includes("Beta Garage"), text.includes("Alpha Bakery")]).toEqual([true, false]);
  });
});
