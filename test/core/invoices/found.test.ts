import { beforeAll, describe, expect, it } from "vitest";
import { listCustomerAging } from "../../../src/core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../../src/core/aging/operations/summarize-aging.ts";
import { getInvoice } from "../../../src/core/invoices/operations/get-invoice.ts";
import { listInvoices } from "../../../src/core/invoices/operations/list-invoices.ts";
import { listPaymentLinks } from "../../../src/core/payment-links/operations/list-payment-links.ts";
import { listPayments } from "../../../src/core/payments/operations/list-payments.ts";
import type { Book } from "../../support/book.ts";
import { integrationRow, linkRow, paymentRow } from "../../support/furnish.ts";
import { call, refusal } from "../../support/lists.ts";
import { addRows } from "../../support/stored.ts";
import { STORES } from "../../support/stores.ts";
import { useBook } from "../../support/use-store.ts";

describe.each(STORES)("what people look for on $name", ({ open }) => {
  const { book, core, store } = useBook(open);
  const list = (input: object = {}) => call(core, listInvoices, book.reader, input);
  const numbers = async (input: object) =>
    (await list({ ...input, order: "asc" })).data.map((one) => one.invoice_number);

  beforeAll(async () => {
    const integration = integrationRow(book.tenantId);
    const globex = await book.customer({ name: "Globex GmbH", number: "4711", email: "pay@globex.example.test" });
    await book.customer({ name: "Initech Österreich", number: "900", email: null });
    const open_ = { customer: globex, collection_status: "open" } as const;
    const invoiceOf = async (number: string, parts: Parameters<Book["invoice"]>[1]) =>
      (
        await book.invoice(
          { ...open_, invoice_number: number, created_at: `2026-03-0${number.slice(-1)}T09:00:00.000Z` },
          parts,
        )
      ).installments;
    const [partly] = await invoiceOf("N-1", [
      { erp_outstanding: "30.00" },
      { erp_outstanding: "5.00", collectible: false, disputed: true, not_collectible_reason: "disputed" },
    ]);
    const [whole] = await invoiceOf("N-2", [{ erp_outstanding: "10.00" }]);
    const [withdrawn] = await invoiceOf("N-3", [{ erp_outstanding: "7.00" }]);
    const [paid] = await invoiceOf("N-4", [{ erp_outstanding: "9.00" }]);
    await invoiceOf("N-5", [{ erp_outstanding: "8.00" }]);
    if (!partly || !whole || !withdrawn || !paid) throw new Error("the invoices have installments");
    const link = (part: typeof partly, row = {}) => linkRow(part, integration.payment_integration_id, row);
    const at = "2026-03-02T00:00:00.000Z";
    const paidLink = link(paid, { state: "paid", paid_at: at });
    await addRows(store, book.tenantId, {
      payment_integrations: integration,
      payment_links: [
        link(partly),
        link(whole),
        link(withdrawn, { state: "deactivated", deactivated_at: at }),
        paidLink,
      ],
      payments: paymentRow(paidLink),
    });
  });

  it("is which invoices ever had a link, and which could get one [completions.10.invoices-found]", async () => {
    expect(await numbers({ ever_had_payment_link: true })).toEqual(["N-1", "N-2", "N-3", "N-4"]);
    expect(await numbers({ ever_had_payment_link: false })).toEqual(["N-5"]);
    expect(await numbers({ has_available: true })).toEqual(["N-1", "N-3", "N-4", "N-5"]);
    expect(await numbers({ has_available: false })).toEqual(["N-2"]);
    expect(await refusal(list({ invoice_date_from: "2026-03-02", invoice_date_to: "2026-03-01" }))).toMatchObject({
      error: { code: "validation_failed", details: [{ field: "invoice_date_from" }] },
    });
    expect(await refusal(list({ limit_per_currency: 1 }))).toMatchObject({
      error: { details: [{ field: "limit_per_currency" }] },
    });
  });

  it("is how much a link could still ask for, and of what [completions.10.invoices-available]", async () => {
    const { data } = await list({ include: "installments", order: "asc" });
    expect(data.map((one) => one.available_amount)).toEqual(["20.00", "0.00", "7.00", "9.00", "8.00"]);
    const [first] = data;
    const whole = await call(core, getInvoice, book.reader, { invoice_id: first?.id });
    expect(first?.installments).toEqual(whole.installments);
    expect(first?.installments?.map((part) => part.available_amount)).toEqual(["20.00", "5.00"]);
    expect((await list()).data[0]).not.toHaveProperty("installments");
    expect(await refusal(list({ include: "installments", limit: 26 }))).toMatchObject({
      error: { code: "validation_failed", details: [{ field: "limit" }] },
    });
  });

  it("is links and payments of a customer or an invoice, by a part of name or number [completions.10.search]", async () => {
    for (const [search, links, payments] of [
      ["GLOBEX", 4, 1],
      ["n-4", 1, 1],
      ["471", 4, 1],
      ["N-5", 0, 0],
    ] as const) {
      expect((await call(core, listPaymentLinks, book.reader, { search })).data).toHaveLength(links);
      expect((await call(core, listPayments, book.reader, { search })).data).toHaveLength(payments);
    }
  });

  it("is somebody whose name is nearly that, or who owes nothing [completions.10.nearest]", async () => {
    const asks: readonly ((search: string) => Promise<{ nearest?: unknown }>)[] = [
      (search) => call(core, summarizeAging, book.reader, { search }),
      (search) => call(core, listCustomerAging, book.reader, { search }),
      (search) => call(core, listPaymentLinks, book.reader, { search }),
      (search) => call(core, listPayments, book.reader, { search }),
      (search) => list({ search }),
    ];
    const named = (name: string, number: string, is_match: boolean) => [
      { customer_id: expect.any(String), name, number, is_match },
    ];
    for (const ask of asks) {
      const nearest = async (search: string) => (await ask(search)).nearest;
      expect(await nearest("Glpbex")).toEqual(named("Globex GmbH", "4711", false));
      expect(await nearest("initech")).toEqual(named("Initech Österreich", "900", true));
      expect(await nearest("österriech")).toEqual(named("Initech Österreich", "900", false));
      expect(await nearest("zzz")).toEqual([]);
      expect(await nearest("😀𠮷a")).toEqual([]);
      // No name has a line break.
      expect(await nearest("globex\ngmbh")).toBeUndefined();
    }
    expect(await list({ search: "globex" })).not.toHaveProperty("nearest");
    expect(await list({ customer_id: book.tenantId })).not.toHaveProperty("nearest");
  });
});
