import { describe, expect, it } from "vitest";
import type { z } from "zod";
import type { summarizeAging } from "../../../src/core/aging/operations/summarize-aging.ts";
import { openBook } from "../../support/book.ts";
import { storesOf } from "../../support/stores.ts";
import { desks } from "./support.ts";

describe.each(storesOf(import.meta.url))("what aging counts on $name", ({ open }) => {
  const desk = desks(open);

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
