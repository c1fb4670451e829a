import { describe, expect, it } from "vitest";
import { listCustomerAging } from "../../../src/core/aging/operations/list-customer-aging.ts";
import { listAttention } from "../../../src/core/attention/list-attention.ts";
import { resolveAttention } from "../../../src/core/attention/operations/resolve-attention.ts";
import { createLocalInvoice } from "../../../src/core/invoices/operations/create-local-invoice.ts";
import { editLocalInvoice } from "../../../src/core/invoices/operations/edit-local-invoice.ts";
import { getInvoice } from "../../../src/core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../../src/core/invoices/operations/list-invoices.ts";
import { settleLocalInvoice } from "../../../src/core/invoices/operations/settle-local-invoice.ts";
import { voidLocalInvoice } from "../../../src/core/invoices/operations/void-local-invoice.ts";
import { money } from "../../../src/core/kernel/money.ts";
import { recordConfirmedPayment } from "../../support/confirmed-payment.ts";
import { call } from "../../support/lists.ts";
import { expectExactRollup } from "../../support/rollup.ts";
import { rowsOf, setRows } from "../../support/stored.ts";
import { STORES } from "../../support/stores.ts";
import { insertLink, useOffice } from "../workflows/support.ts";

const SEND_AT = "2026-03-11T13:00:00.000Z";
const EMAIL = { email_status: "scheduled", email_to: "ap@river.example", email_send_at: SEND_AT } as const;
const GIVEN = {
  number: "L-1",
  currency: "USD",
  amount: "150.00",
  invoiceDate: "2026-01-01",
  customerName: "Riverside",
  customerEmail: "ap@river.example",
  installments: [
    { dueDate: "2026-02-01", amount: "100.00" },
    { dueDate: "2026-04-01", amount: "50.00" },
  ],
};

describe.each(STORES)("an invoice made in the service, $name", ({ open }) => {
  const { clock, core, office } = useOffice(open);

  const create = (over: Partial<typeof GIVEN> & { dueDate?: string; confirmed?: boolean } = {}) =>
    office.act(createLocalInvoice, { ...GIVEN, ...over });
  /** What an invoice owes, by itself, in the list, and in aging, which have to agree. */
  async function owed(invoiceId: string) {
    const { reader } = office.book;
    const invoice = await call(core, getInvoice, reader, { invoice_id: invoiceId });
    const { data } = await call(core, listInvoices, reader, { search: invoice.invoice_number ?? "" });
    const listed = data.find(({ id }) => id === invoiceId);
    const aging = await call(core, listCustomerAging, reader, { customer_key: `unassigned:${invoiceId}` });
    const [row] = aging.data;
    const own = [invoice.collection_outstanding, invoice.overdue_outstanding];
    expect([listed?.collection_outstanding, listed?.overdue_outstanding]).toEqual(own);
    expect([row?.outstanding ?? "0.00", row?.overdue ?? "0.00"]).toEqual(own);
    await expectExactRollup(core, office.tenantId);
    return { ...invoice, parts: invoice.installments.map((part) => part.collection_outstanding) };
  }
  const mailed = (invoiceId: string, installmentId: string | undefined, cents = 100_00) => {
    const asked = { amount_minor: String(cents), amount: String(cents / 100) };
    return insertLink(core, office.tenantId, { invoiceId, installmentId: installmentId ?? "" }, { ...EMAIL, ...asked });
  };
  const links = async () => (await office.links()).map((link) => [link.payment_link_id, link.state, link.email_status]);
  const audited = async (operation: string) => rowsOf(core.store, office.tenantId, "audit_entries", { operation });

  it("is due with its last installment where it has no due date of its own [completions.13.local-edit]", async () => {
    const { id } = await create();
    const due = async () => (await owed(id)).due_date;
    expect(await due()).toBe("2026-04-01");
    const later = { dueDate: "2026-05-01", amount: "50.00" };
    await office.act(editLocalInvoice, { invoiceId: id, installments: [...GIVEN.installments.slice(0, 1), later] });
    expect(await due()).toBe("2026-05-01");
    const own = await create({ number: "L-2", dueDate: "2026-03-01" });
    expect((await owed(own.id)).due_date).toBe("2026-03-01");
  });

  it("has a number of its own however it is written, and is asked about where the ERP has it [completions.13.local-number]", async () => {
    const { id } = await create({ number: "L-İ1ß" });
    const edit = (number: string) => office.act(editLocalInvoice, { invoiceId: id, number });
    const taken = { field: "number", message: "is that of another invoice made here, L-İ1ß" };
    for (const number of [" L-İ1ß ", "l-i1ss", "\uff2c-I1\u1e9e"])
      await expect(create({ number })).rejects.toMatchObject({ code: "validation_failed", details: [taken] });
    await office.book.invoice({ invoice_number: "ERP-1", customer_name: "Ann", customer_number: "C-7" });
    await office.book.invoice({ invoice_number: null, customer_name: "Ann", customer_number: "C-7" });
    for (const number of ["ERP-1", "erp-1", "\uff25RP-1"]) {
      const message = "must be given, because the ERP has an invoice with this number, ERP-1";
      const question = { details: [{ field: "confirmed", message }] };
      await expect(create({ number })).rejects.toMatchObject(question);
      await expect(edit(number)).rejects.toMatchObject(question);
    }
    await create({ number: "erp-1", confirmed: true });
    await expect(edit("ERP-1")).rejects.toMatchObject({ details: [{ field: "number" }] });
    await edit("l-İ1SS");
    for (const number of ["C-7", "ERP-11", "RP-1", "Ann"]) await create({ number });
    // Two at once: one of them is refused.
    const both = await Promise.allSettled([create({ number: "L-2" }), create({ number: "L-2" })]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const old = { installments: [{ dueDate: "2024-03-09", amount: "150.00" }], invoiceDate: "2024-01-01" };
    await expect(create({ number: "L-3", ...old })).rejects.toMatchObject({
      details: [{ field: "confirmed", message: expect.stringContaining("2024-03-09 is more than two years back") }],
    });
    await create({ number: "L-3", ...old, confirmed: true });
    await create({ number: "L-4", ...old, installments: [{ dueDate: "2024-03-10", amount: "150.00" }] });
  });

  it("is edited until something was collected: its links follow [completions.13.local-edit]", async () => {
    const { id, installment_ids: parts } = await create();
    const fits = await mailed(id, parts[1], 50_00);
    const tooMuch = await mailed(id, parts[0]);
    const edit = (changes: object) => office.act(editLocalInvoice, { invoiceId: id, ...changes });
    expect(await edit({ customerName: "River GmbH" })).toMatchObject({ installment_ids: parts });
    expect(await links()).toEqual(expect.arrayContaining([fits, tooMuch].map((link) => [link, "active", "scheduled"])));
    await expect(edit({ amount: "120.00" })).rejects.toMatchObject({ details: [{ field: "installments" }] });
    await edit({
      amount: "150.00",
      installments: [
        { dueDate: "2026-02-01", amount: "50.00" },
        { dueDate: "2026-04-01", amount: "100.00" },
      ],
    });
    expect(await links()).toEqual(
      expect.arrayContaining([
        [fits, "active", "scheduled"],
        [tooMuch, "deactivated", "cancelled"],
      ]),
    );
    expect(await owed(id)).toMatchObject({
      parts: ["50.00", "100.00"],
      overdue_outstanding: "50.00",
      customer: { name: "River GmbH" },
    });
    const { installment_ids: one } = await edit({
      amount: "70.00",
      installments: [{ dueDate: "2026-02-01", amount: "70.00" }],
    });
    expect(await owed(id)).toMatchObject({ collection_outstanding: "70.00" });
    await edit({ amount: "70.00" });
    expect((await audited("editLocalInvoice")).map(({ details }) => details?.changed).sort()).toEqual([
      "amount, installments",
      "customerName",
      "installments",
    ]);
    const payment = { tenantId: office.tenantId, invoiceId: id, installmentId: one[0] ?? null, amount: money("10") };
    await core.store.write(office.tenantId, (tx) => recordConfirmedPayment(tx, core, payment));
    await expect(edit({ number: "L-9" })).rejects.toMatchObject({ code: "conflict" });
  });

  it("is void: it owes nothing, nothing asks for it, and no task waits for it [completions.13.local-void]", async () => {
    const { id, installment_ids: parts } = await create();
    const link = await mailed(id, parts[0]);
    const act = () => office.act(voidLocalInvoice, { invoiceId: id });
    const { voided_at: at } = await act();
    clock.set("2026-03-10T16:00:00.000Z");
    expect(await act()).toEqual({ id, voided_at: at });
    expect(await links()).toEqual([[link, "deactivated", "cancelled"]]);
    expect(await owed(id)).toMatchObject({ collection_outstanding: "0.00", voided_at: at, total_amount: "150.00" });
    expect(await audited("voidLocalInvoice")).toMatchObject([{ object_type: "invoice" }]);
    for (const refused of [
      () => office.act(editLocalInvoice, { invoiceId: id, number: "L-9" }),
      () => office.act(settleLocalInvoice, { invoiceId: id, ...settled("1.00") }),
    ])
      await expect(refused()).rejects.toMatchObject({ code: "conflict" });
    const { invoice } = await office.book.invoice({ invoice_number: "ERP-2" });
    const erp = office.act(voidLocalInvoice, { invoiceId: invoice.invoice_id });
    await expect(erp).rejects.toMatchObject({ code: "conflict" });
  });

  it("puts what was paid for it and kept before people once it is void, the latest first [completions.12.fell-below-paid]", async () => {
    const { id, installment_ids: parts } = await create();
    const pay = async (index: number, amount: string, paidAt: string) => {
      const payment = { tenantId: office.tenantId, invoiceId: id, installmentId: parts[index] ?? null };
      const paid = { ...payment, amount: money(amount), paidAt };
      return core.store.write(office.tenantId, (tx) => recordConfirmedPayment(tx, core, paid));
    };
    const older = await pay(0, "100", "2026-03-08T10:00:00.000Z");
    const newer = await pay(1, "30", "2026-03-09T10:00:00.000Z");
    await setRows(core.store, office.tenantId, "payments", { refunded_minor: "4000" }, { payment_id: older });
    expect(await office.act(listAttention, {})).toEqual([]);
    await office.act(voidLocalInvoice, { invoiceId: id });
    const say = expect.stringContaining("Paid through links: 130.00 USD; the invoice is void. Refund");
    const about = { kind: "payment_over_owed", invoice_number: "L-1", currency: "USD", advice: { say } };
    const found = await office.act(listAttention, {});
    found.sort((one, other) => Number(one.amount) - Number(other.amount));
    expect(found).toMatchObject([
      { ...about, payment_id: newer, amount: "30.00" },
      { ...about, payment_id: older, amount: "60.00" },
    ]);
    for (const { id: item } of found) await office.act(resolveAttention, { id: item ?? "" });
    await office.act(voidLocalInvoice, { invoiceId: id });
    expect(await office.act(listAttention, {})).toEqual([]);
  });

  const settled = (amount: string) => ({ amount, date: "2026-03-09", reference: "Transfer 7781" });

  it("owes less for money that came another way, of which nothing counts as collected [completions.13.settled-elsewhere]", async () => {
    const { id, installment_ids: parts } = await create();
    const [first, second] = [await mailed(id, parts[0]), await mailed(id, parts[1], 50_00)];
    const settle = (amount: string, over: object = {}) =>
      office.act(settleLocalInvoice, { invoiceId: id, ...settled(amount), ...over });
    expect(await settle("30.50")).toEqual({ id, collection_outstanding: "119.50" });
    expect(await owed(id)).toMatchObject({
      parts: ["69.50", "50.00"],
      amount_collected: "0.00",
      collection_status: "open",
      overdue_outstanding: "69.50",
      settled_elsewhere: [settled("30.50")],
    });
    expect(await links()).toEqual(
      expect.arrayContaining([
        [first, "deactivated", "cancelled"],
        [second, "active", "scheduled"],
      ]),
    );
    for (const [amount, over, field] of [
      ["119.51", {}, "amount"],
      ["0.001", {}, "amount"],
      ["1.00", { date: "2026-03-11" }, "date"],
      ["1.00", { reference: " " }, "reference"],
    ] as const)
      await expect(settle(amount, over)).rejects.toMatchObject({ code: "validation_failed", details: [{ field }] });
    const edit = { invoiceId: id, currency: "EUR" };
    await expect(office.act(editLocalInvoice, edit)).rejects.toMatchObject({
      details: [{ field: "currency" }],
    });
    const payment = { tenantId: office.tenantId, invoiceId: id, installmentId: parts[1] ?? null, amount: money("50") };
    await core.store.write(office.tenantId, (tx) => recordConfirmedPayment(tx, core, payment));
    await settle("69.50");
    expect(await owed(id)).toMatchObject({
      collection_outstanding: "0.00",
      amount_collected: "50.00",
      collection_status: "paid",
    });
    expect((await audited("settleLocalInvoice")).map(({ details }) => details)).toEqual(
      expect.arrayContaining([settled("30.50"), settled("69.50")]),
    );
  });
});
