import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { summarizeAging } from "../../../src/core/aging/operations/summarize-aging.ts";
import { BOOK_TIME, openBook } from "../../support/book.ts";
import { storesOf } from "../../support/stores.ts";
import { desks, LATER } from "./support.ts";

describe.each(storesOf(import.meta.url))("what aging counts on $name", ({ open }) => {
  const desk = desks(open);

  it("counts live, owing, open, dated debts and no others [service.4.10.1]", async () => {
    const { book, installments } = desk();
    const { invoice } = await book.invoice({}, [
      { due_date: "2026-03-31", erp_outstanding: "1" },
      { due_date: "2026-03-31", erp_outstanding: "2", removed_at: LATER },
      { due_date: "2026-03-31", erp_outstanding: "4", closed: true },
      { due_date: "2026-03-31", erp_outstanding: "0" },
      { due_date: "2026-03-31", erp_outstanding: "-8" },
      { due_date: null, erp_outstanding: "16" },
    ]);
    await book.invoice({ retired_at: LATER }, [{ due_date: "2026-03-31", erp_outstanding: "32" }]);
    await book.invoice({ retired_at: LATER, due_date: "2026-03-31" });
    await book.invoice({ due_date: null });
    await book.invoice({ due_date: "2026-03-31", collection_outstanding: "-64" });
    const report = await installments();
    expect(report.data).toMatchObject([{ invoice_id: invoice.invoice_id, amount: "1.00" }]);
    expect(report.totals).toMatchObject([{ currency: "USD", outstanding: "1.00" }]);
  });

  it("does not consult the invoice's status: what cannot be collected is owed all the same [service.4.10.2]", async () => {
    const { book, installments } = desk();
    await book.invoice({ finalised: false, collection_status: "inactive" }, [
      { due_date: "2026-03-01", not_collectible_reason: "not_finalised" },
      { due_date: "2026-03-02", not_collectible_reason: "disputed", disputed: true },
      { due_date: "2026-03-03", not_collectible_reason: "excluded", excluded: true },
      { due_date: "2026-03-04" },
    ]);
    const report = await installments();
    expect(report.data.map((row) => row.collectible)).toEqual([false, false, false, true]);
    expect(report.totals).toMatchObject([{ overdue: "400.00" }]);
  });

  it("shows an invoice that never had an installment as a row of its own [service.2.6.installment-row]", async () => {
    const { book, installments } = desk();
    const { invoice } = await book.invoice({
      due_date: "2026-03-09",
      invoice_number: null,
      currency: "KWD",
      customer_name: "Walk-in",
      collection_outstanding: "12.5",
    });
    await book.invoice({ has_installments: true, due_date: "2026-03-09" });
    await book.invoice({ due_date: "2026-03-09" }, [{ removed_at: LATER }]);
    expect((await installments()).data).toEqual([
      {
        as_of: BOOK_TIME,
        customer_key: `unassigned:${invoice.invoice_id}`,
        customer_id: null,
        customer_name: "Walk-in",
        customer_number: null,
        invoice_id: invoice.invoice_id,
        invoice_number: "",
        installment_id: null,
        sequence_number: null,
        invoice_installment_count: 0,
        amount: "12.500",
        outstanding: "12.500",
        available_amount: "0.000",
        currency: "KWD",
        due_date: "2026-03-09",
        days_overdue: 1,
        bucket: "days_1_30",
        collectible: false,
        not_collectible_reason: null,
        not_collectible_reasons: ["no_billing_email", "currency_not_supported"],
      },
    ]);
  });

  it("counts paid and filtered-out siblings, and no removed ones [service.2.6.installment-count]", async () => {
    const { book, installments } = desk();
    await book.invoice({}, [
      { due_date: "2026-03-09" },
      { due_date: "2026-04-09" },
      { erp_outstanding: "0" },
      { closed: true },
      { removed_at: LATER },
    ]);
    expect((await installments({ overdue_only: true })).data).toMatchObject([{ invoice_installment_count: 4 }]);
  });

  it("groups by customer and currency, by key and never by name [service.2.6.customer-row] [service.2.6.counts]", async () => {
    const { book, customers } = desk();
    const [first, second] = [await book.customer({ name: "Acme", number: "1" }), await book.customer({ name: "Acme" })];
    await book.invoice({ customer: first }, [{ due_date: "2026-03-09" }, { due_date: "2026-04-01" }]);
    await book.invoice({ customer: first }, [{ due_date: "2026-01-01" }]);
    await book.invoice({ customer: first, currency: "EUR" }, [{ due_date: "2026-01-01" }]);
    await book.invoice({ customer: second, customer_name: "Its own name" }, [{ due_date: "2026-01-01" }]);
    const lone = await book.invoice({ origin: "local", due_date: "2026-03-31", customer_name: "77" });
    const nameless = await book.invoice({ origin: "local", due_date: "2026-03-30" });
    const row = { customer_key: first.customer_id, customer_id: first.customer_id, customer_name: "Acme" };
    const report = await customers({ sort: "customer_asc" });
    expect(report.data.map(({ currency, customer_name }) => [currency, customer_name])).toEqual([
      ["EUR", "Acme"],
      ["USD", "77"],
      ["USD", "Acme"],
      ["USD", "Its own name"],
      ["USD", "Unassigned"],
    ]);
    expect(report.data[0]).toEqual({
      ...row,
      as_of: BOOK_TIME,
      customer_number: "1",
      currency: "EUR",
      outstanding: "100.00",
      overdue: "100.00",
      current: "0.00",
      days_1_30: "0.00",
      days_31_60: "0.00",
      days_61_90: "100.00",
      over_90: "0.00",
      invoice_count: 1,
      installment_count: 1,
      max_days_overdue: 68,
    });
    expect(report.data).toContainEqual(
      expect.objectContaining({
        ...row,
        currency: "USD",
        outstanding: "300.00",
        overdue: "200.00",
        invoice_count: 2,
        installment_count: 3,
      }),
    );
    expect(report.data).toContainEqual(expect.objectContaining({ customer_key: second.customer_id, invoice_count: 1 }));
    expect(report.data.map((one) => one.customer_key)).toEqual(
      expect.arrayContaining([lone, nameless].map(({ invoice }) => `unassigned:${invoice.invoice_id}`)),
    );
    expect(report.pagination.total_count).toBe(5);

    const overdue = await customers({ overdue_only: true, currency: "USD", customer_key: first.customer_id });
    expect(overdue.data).toMatchObject([
      { current: "0.00", days_1_30: "100.00", outstanding: "200.00", invoice_count: 2, installment_count: 2 },
    ]);
  });

  it("never adds currencies up, and keeps every digit [service.2.6.totals]", async () => {
    const { book, summary } = desk();
    await book.invoice({ currency: "USD" }, [{ erp_outstanding: "0.1" }, { erp_outstanding: "0.2" }]);
    await book.invoice({ currency: "USD" }, [{ erp_outstanding: "90071992547409930000000000.0001" }]);
    await book.invoice({ currency: "JPY" }, [{ erp_outstanding: "1250.0" }]);
    await book.invoice({ currency: null }, [{ erp_outstanding: "7.50" }]);
    const { totals } = await summary();
    expect(totals.map(({ currency, outstanding }) => [currency, outstanding])).toEqual([
      ["JPY", "1250"],
      ["UNKNOWN", "7.5"],
      ["USD", "90071992547409930000000000.3001"],
    ]);
  });

  it("tells when a record last changed, under any filters [service.2.6.data-updated]", async () => {
    const { book, summary } = desk();
    expect(await summary()).toMatchObject({ data_updated_at: null, currencies: [], totals: [] });
    await book.invoice({ updated_at: LATER, retired_at: LATER });
    await book.invoice({ updated_at: "2026-03-02T00:00:00.000Z" }, [{}]);
    expect(await summary({ search: "nobody" })).toMatchObject({ data_updated_at: LATER, totals: [] });
  });

  it("keeps the workspaces apart [isolation.aging]", async () => {
    const { book, summary, customers, installments } = desk();
    const ours = book;
    const theirs = await openBook(desk().opened.store);
    const customer = await theirs.customer({ name: "Theirs" });
    const { invoice } = await theirs.invoice({ customer, currency: "CHF" }, [{}]);
    const own = await theirs.invoice({ origin: "local", due_date: "2026-03-01", currency: "CHF" });
    await ours.invoice({}, [{}]);
    const reports: z.output<typeof summarizeAging.output>[] = [];
    for (const input of [
      {},
      { currency: "CHF" },
      { search: "theirs" },
      { customer_key: customer.customer_id },
      { customer_key: `unassigned:${own.invoice.invoice_id}` },
    ])
      for (const ask of [summary, customers, installments]) reports.push(await ask(input));
    const told = JSON.stringify(reports);
    for (const secret of [customer.customer_id, invoice.invoice_id, own.invoice.invoice_id, "Theirs", "CHF"])
      expect(told).not.toContain(secret);
    expect(reports.map((report) => report.totals.length)).toEqual([1, 1, 1, ...Array(12).fill(0)]);
  });
});
