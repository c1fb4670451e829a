import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { operate } from "../../src/core/gate/operator.ts";
import { createLocalInvoice } from "../../src/core/invoices/operations/create-local-invoice.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { openBook } from "../support/book.ts";
import { HAS_CHROMIUM } from "../support/chromium.ts";
import { linkRow, mailedLinkRow, paymentRow } from "../support/furnish.ts";
import { peopleOf } from "../support/people.ts";
import { taskRow } from "../support/rows.ts";
import { signedInPage } from "../support/signed-in-page.ts";
import { addRows } from "../support/stored.ts";
import { type Do, press, type Sight, seeEach, useBrowser } from "./sights.ts";

const LONG = "x".repeat(120);

/** The pages at which people collect, in their states: many, none, asked, refused, done and forbidden. */
describe.skipIf(!HAS_CHROMIUM)("collecting, for everybody", () => {
  const seen = useBrowser();
  let people: Record<"admin" | "member" | "newcomer", Page>;
  let ids: Record<"failed" | "reversed" | "held" | "byHand" | "link" | "paid" | "task" | "invoice" | "local", string>;

  beforeAll(async () => {
    const { service, browser } = seen();
    const everybody = peopleOf(service.core);
    const book = await openBook(service.core.store, { name: "Northwind Trading" });
    const { id: fresh } = await everybody.addWorkspace({ name: "Fresh Start GmbH" });
    ids = await fill(book);
    const signedIn = ({ email }: { email: string }) => signedInPage(browser, service.url, email);
    people = {
      admin: await signedIn(await everybody.addPerson(book.tenantId)),
      member: await signedIn(await everybody.addPerson(book.tenantId, { role: "member" })),
      newcomer: await signedIn(await everybody.addPerson(fresh)),
    };
  });

  /** Receipts in every state, a mailed link and a task, with names that are long or unbroken. */
  async function fill({ tenantId, connectionId, customer, invoice }: Awaited<ReturnType<typeof openBook>>) {
    const { core } = seen().service;
    const sandbox = { provider: "sandbox", currencies: ["USD"] } as const;
    const { id: integrationId } = await operate(core, tenantId, connectIntegration, {
      ...sandbox,
      currencies: ["USD"],
    });
    const long = await customer({ name: LONG });
    const facts = { customer: long, invoice_number: `INV-${LONG}` };
    const { installments: paidParts } = await invoice(facts, [{}]);
    const open = await invoice(facts, [{ sequence_number: 1 }, { sequence_number: 2 }, { sequence_number: 3 }]);
    const [paidPart, openPart] = [paidParts[0], open.installments[0]];
    const why = { code: "closed_period", erp: `${LONG} <b>not open</b>` } as const;
    const receipts = {
      failed: { erp_push_status: "failed", erp_push_error: why },
      reversed: { erp_push_status: "reversed", erp_receipt_number: `PAY-${"W".repeat(26)}`, disputed: true },
      held: { erp_push_status: "held" },
      byHand: {
        erp_push_status: "applied",
        settled_by_hand_at: "2026-03-02T09:00:00.000Z",
        erp_receipt_number: "CHK-1",
      },
      another: { erp_push_status: "held" },
    } as const;
    const paid = linkRow(paidPart, integrationId, { state: "paid", paid_at: "2026-03-01T09:00:00.000Z" });
    const mailed = mailedLinkRow(openPart, integrationId);
    const task = taskRow(tenantId, open.invoice.invoice_id);
    const rows = Object.values(receipts).map((row, index) =>
      paymentRow(paid, { connection_id: connectionId, provider_payment_id: `pi_${index}`, ...row }),
    );
    await addRows(core.store, tenantId, {
      payment_links: [paid, mailed],
      payments: rows,
      tasks: task,
      attention_items: {
        ...{ tenant_id: tenantId, attention_item_id: core.newId(), kind: "payment_refunded", subject: "pi_0" },
        ...{ payment_id: String(rows[0]?.payment_id), payment_link_id: null, invoice_id: paidPart.invoice_id },
        ...{ occurred_at: "2026-03-02T09:00:00.000Z", created_at: "2026-03-02T09:00:00.000Z", resolved_at: null },
        ...{ amount_minor: "500", currency: "USD" },
      },
    });
    const [failed = "", reversed = "", held = "", byHand = ""] = rows.map((row) => String(row.payment_id));
    const links = { link: mailed.payment_link_id, paid: paid.payment_link_id };
    const { id: local } = await operate(core, tenantId, createLocalInvoice, {
      ...{ number: "L-1", currency: "USD", amount: "75.00", customerName: "Riverside" },
    });
    return { failed, reversed, held, byHand, ...links, task: task.task_id, invoice: open.invoice.invoice_id, local };
  }

  const tickAll: Do = async (page) => {
    for (const box of await page.getByRole("checkbox").all()) await box.check();
  };

  const SIGHTS: readonly Sight<keyof typeof people>[] = [
    ["admin", "attention", () => "/attention"],
    ["member", "attention-member", () => "/attention"],
    ["newcomer", "attention-empty", () => "/attention"],
    ["admin", "payment-failed", () => `/payments/${ids.failed}`],
    ["member", "payment-member", () => `/payments/${ids.failed}`],
    ["admin", "payment-reversed", () => `/payments/${ids.reversed}`],
    ["admin", "payment-held", () => `/payments/${ids.held}`],
    [
      "admin",
      "payment-by-hand",
      () => `/payments/${ids.byHand}`,
      (page) => page.getByText("Was that a mistake?").click(),
    ],
    ["newcomer", "payment-foreign", () => `/payments/${ids.failed}`],
    [
      "admin",
      "payment-not-settled",
      () => `/payments/${ids.failed}`,
      async (page) => {
        await page.getByLabel("The receipt's number in the ERP").fill("CHK-1");
        await press("Settle by hand", "alert")(page);
      },
    ],
    ["admin", "payments-with-receipts", () => "/payments"],
    ["admin", "held", () => "/payments/held"],
    ["admin", "held-refused", () => "/payments/held", press("Push the chosen ones", "alert")],
    ["admin", "held-review", () => "/payments/held", press("Push all 2")],
    ["member", "held-member", () => "/payments/held"],
    ["newcomer", "held-empty", () => "/payments/held"],
    ["admin", "link", () => `/payment-links/${ids.link}`],
    ["member", "link-member", () => `/payment-links/${ids.link}`],
    ["admin", "link-paid", () => `/payment-links/${ids.paid}`],
    [
      "admin",
      "link-mail-refused",
      () => `/payment-links/${ids.link}`,
      async (page) => {
        await page.getByLabel("Send on").fill("2020-01-01");
        await press("Reschedule the mail", "alert")(page);
      },
    ],
    ["admin", "link-withdraw", () => `/payment-links/${ids.link}/withdraw`],
    ["member", "link-withdraw-forbidden", () => `/payment-links/${ids.link}/withdraw`],
    ["admin", "link-cancel-mail", () => `/payment-links/${ids.link}/cancel-mail`],
    ["admin", "links-new", () => `/invoices/${ids.invoice}/links`],
    [
      "admin",
      "links-new-refused",
      () => `/invoices/${ids.invoice}/links`,
      async (page) => {
        await tickAll(page);
        for (const field of await page.getByRole("textbox").all()) await field.fill("1.2345");
        await press("Make payment links", "alert")(page);
      },
    ],
    ["admin", "task", () => `/tasks/${ids.task}`],
    ["member", "task-member", () => `/tasks/${ids.task}`],
    ["admin", "task-dismiss", () => `/tasks/${ids.task}/dismiss`],
    ["admin", "invoice-new", () => "/invoices/new"],
    ["admin", "invoice-edit", () => `/invoices/${ids.local}/edit`],
    ["admin", "invoice-void", () => `/invoices/${ids.local}/edit/void`],
    ["admin", "invoice-settle-refused", () => `/invoices/${ids.local}/edit`, press("Record settlement")],
    [
      "admin",
      "invoice-new-refused",
      () => "/invoices/new",
      async (page) => {
        await press("Add an installment")(page);
        await page.getByLabel("Billing email").fill("nobody");
        await page.getByLabel("Amount of installment 2").fill("much");
        await press("Create invoice", "alert")(page);
      },
    ],
  ];

  seeEach(seen, () => people, SIGHTS);

  it("copies the address of a link, and makes a link, with the keyboard [pages.run.copy] [pages.run.links]", async () => {
    const page = people.admin;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`${seen().service.url}/payment-links/${ids.link}`);
    await page.getByRole("button", { name: "Copy the address of the pay page" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Copied", { exact: true }).first().waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(`https://pay.example.test/${ids.link}`);
    await page.goto(`${seen().service.url}/invoices/${ids.invoice}/links`);
    await page.getByRole("checkbox").last().focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("Tab");
    await page.keyboard.type("12.50");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Payment link for 12.50 USD" }).waitFor();
  });

  it("creates an invoice of two installments with the keyboard: Enter creates it [pages.run.local-invoices]", async () => {
    const page = people.admin;
    await page.goto(`${seen().service.url}/invoices/new`);
    await page.getByRole("button", { name: "Add an installment" }).press("Enter");
    await page.getByLabel("Amount of installment 2").waitFor();
    await page.getByLabel("Invoice number").fill("K-1");
    await page.getByLabel("Customer").first().fill("Keyboard Ltd");
    await page.getByLabel("Currency").fill("usd");
    await page.getByLabel("Amount of installment 1").fill("10");
    await page.getByLabel("Amount of installment 2").fill("5.50");
    await page.keyboard.press("Enter");
    await page.getByText("The invoice is created.").waitFor();
    await page.getByText("15.50").first().waitFor();
  });
});
