import { describe, expect, it } from "vitest";
import { getInvoice } from "../../../src/core/invoices/operations/get-invoice.ts";
import { addDays } from "../../../src/core/kernel/calendar.ts";
import { testCore } from "../../support/core.ts";
import { integrationRow, linkRow } from "../../support/furnish.ts";
import { call, refusal } from "../../support/lists.ts";
import { addRows } from "../../support/stored.ts";
import { STORES } from "../../support/stores.ts";
import { desks } from "./support.ts";

describe.each(STORES)("groups, rankings and what can be asked for in aging on $name", ({ open }) => {
  const desk = desks(open);

  it("answers at most 300 groups, and says what to do about more [completions.10.aging-groups]", async () => {
    const { book, summary } = desk();
    const weeks = Array.from({ length: 301 }, (_, at) => ({ due_date: addDays("2020-01-06", at * 7) }));
    await book.invoice({}, weeks);
    expect(await refusal(summary({ group_by: "week" }))).toMatchObject({
      error: {
        code: "validation_failed",
        details: [{ field: "group_by", message: expect.stringContaining("due_from") }],
      },
    });
    expect((await summary({ group_by: "week", due_from: "2020-01-13" })).groups).toHaveLength(300);
  });

  it("takes the first customers of each currency, page by page, of a ranking by money only [completions.10.limit-per-currency]", async () => {
    const { book, customers } = desk();
    for (const currency of ["EUR", "USD"])
      for (const amount of ["3", "2", "1"])
        await book.invoice({ customer: await book.customer(), currency }, [
          { due_date: "2026-03-01", erp_outstanding: amount },
        ]);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await customers({ limit: 3, limit_per_currency: 2, ...(cursor ? { cursor } : {}) });
      seen.push(...page.data.map((row) => `${row.currency} ${row.overdue}`));
      cursor = page.pagination.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(["EUR 3.00", "EUR 2.00", "USD 3.00", "USD 2.00"]);
    expect(await refusal(customers({ limit_per_currency: 2, sort: "customer_asc" }))).toMatchObject({
      error: { code: "validation_failed", details: [{ field: "limit_per_currency" }] },
    });
  });

  it("says what a link could still ask for, as the invoice does, and all that stands against a debt [completions.10.aging-twins]", async () => {
    const { book, opened, installments } = desk();
    const customer = await book.customer({ email: "pay@example.test" });
    const made = await book.invoice({ customer }, [
      { due_date: "2026-03-01", erp_outstanding: "25" },
      {
        due_date: "2026-03-02",
        erp_outstanding: "5",
        disputed: true,
        excluded: true,
        not_collectible_reason: "excluded",
      },
    ]);
    await book.invoice({ currency: "KWD", finalised: false }, [
      { due_date: "2026-03-03", erp_outstanding: "1", not_collectible_reason: "not_finalised" },
    ]);
    const [first] = made.installments;
    const integration = integrationRow(book.tenantId);
    await addRows(opened.store, book.tenantId, {
      payment_integrations: integration,
      payment_links: [linkRow(first, integration.payment_integration_id)],
    });
    const { data } = await installments();
    expect(data).toMatchObject([
      { amount: "25.00", outstanding: "25.00", available_amount: "15.00", not_collectible_reasons: [] },
      { outstanding: "5.00", available_amount: "5.00", not_collectible_reasons: ["excluded", "disputed"] },
      { not_collectible_reasons: ["not_finalised", "no_billing_email", "currency_not_supported"] },
    ]);
    const core = testCore(opened.store);
    const invoice = await call(core, getInvoice, book.reader, { invoice_id: made.invoice.invoice_id });
    expect(invoice.installments.map((one) => one.available_amount)).toEqual(
      data.slice(0, 2).map((row) => row.available_amount),
    );
  });
});
