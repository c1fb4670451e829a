import { describe, expect, it } from "vitest";
import { touchInvoices } from "../../../src/store/aging/rollup.ts";
import { storesOf } from "../../support/stores.ts";
import { Desk, desks } from "./support.ts";

const INVALID = { code: "invalid_cursor", httpStatus: 400 };

/** A workspace with six customers who owe in two currencies, one of them a euro more than the others. */
async function fill({ book }: Desk) {
  const owing = [];
  for (const [index, currency] of ["EUR", "USD", "EUR", "USD", "EUR", "USD"].entries()) {
    const customer = await book.customer({ name: `Acme ${index}`, number: `10${index}` });
    const parts = [{ due_date: "2026-01-15" }, { due_date: "2026-03-01" }];
    const { installments } = await book.invoice({ customer, currency }, parts);
    owing.push({ customer, installments });
  }
  return owing;
}

function found<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("nothing there");
  return value;
}

describe.each(storesOf(import.meta.url))("aging cursors on $name", ({ open }) => {
  const desk = desks(open);

  it("are refused with any other query [service.4.10.7]", async () => {
    const owing = await fill(desk());
    const given = { search: "acme", overdue_only: true, sort: "customer_asc", limit: 2 };
    for (const ask of [desk().customers, desk().installments]) {
      const cursor = found((await ask(given)).pagination.next_cursor);
      expect((await ask({ ...given, cursor })).data).toHaveLength(2);
      for (const change of [
        { currency: "USD" },
        { search: "acm" },
        { search: "ACME" },
        { search: undefined },
        { customer_key: owing[0]?.customer.customer_id },
        { bucket: "days_31_60" },
        { overdue_only: false },
        { sort: "overdue_desc" },
        { sort: undefined },
        { limit: 3 },
        { limit: undefined },
      ])
        await expect(ask({ ...given, ...change, cursor }), JSON.stringify(change)).rejects.toMatchObject(INVALID);
    }
  });

  it("take a default for what it stands for", async () => {
    await fill(desk());
    for (const ask of [desk().customers, desk().installments]) {
      const cursor = found((await ask({ limit: 2, overdue_only: false })).pagination.next_cursor);
      expect((await ask({ cursor, sort: "overdue_desc", limit: 2 })).data).toHaveLength(2);
    }
  });

  it("are good for one operation of one workspace; the summary takes none [service.4.10.7]", async () => {
    const [ours, theirs] = [desk(), await Desk.open(desk().opened)];
    await fill(ours);
    await fill(theirs);
    const limit = 2;
    const ofCustomers = found((await ours.customers({ limit })).pagination.next_cursor);
    const ofInstallments = found((await ours.installments({ limit })).pagination.next_cursor);
    for (const refused of [
      () => ours.installments({ limit, cursor: ofCustomers }),
      () => ours.customers({ limit, cursor: ofInstallments }),
      () => theirs.customers({ limit, cursor: ofCustomers }),
      () => theirs.installments({ limit, cursor: ofInstallments }),
      () => ours.summary({ limit, cursor: ofCustomers }),
      () => ours.summary({ limit, cursor: "x" }),
      () => ours.customers({ limit, cursor: "x" }),
    ])
      await expect(refused()).rejects.toMatchObject(INVALID);
  });

  it("end with the revision, and outlive what is not behind the answer [service.4.10.7]", async () => {
    const { book, clock, customers, installments, opened } = desk();
    const owing = await fill(desk());
    const { tenantId } = book;
    const [dollars] = owing[1]?.installments ?? [];
    const pay = (amount: string) =>
      opened.store.write(tenantId, (tx) => {
        touchInvoices(tx, [found(dollars).invoice_id]);
        return tx
          .updateTable("installments")
          .set({ collection_outstanding: amount })
          .where("tenant_id", "=", tenantId)
          .where("installment_id", "=", found(dollars).installment_id)
          .execute();
      });
    for (const ask of [customers, installments]) {
      const everything = { limit: 2 };
      const euros = { limit: 2, currency: "EUR" };
      const whole = found((await ask(everything)).pagination.next_cursor);
      const part = found((await ask(euros)).pagination.next_cursor);

      await pay("99.99");
      await expect(ask({ ...everything, cursor: whole })).rejects.toMatchObject(INVALID);
      expect((await ask({ ...euros, cursor: part })).pagination.total_count).toBeGreaterThan(2);
      await pay("100.00");
      expect((await ask({ ...everything, cursor: whole })).data).toHaveLength(2);

      clock.advance(86_400_000);
      await expect(ask({ ...euros, cursor: part })).rejects.toMatchObject(INVALID);
      clock.advance(-86_400_000);
    }
  });

  it("do not end with a page's own size, place or order [service.2.6.revision]", async () => {
    await fill(desk());
    const { summary, customers, installments } = desk();
    const first = await customers({ limit: 1, sort: "customer_asc" });
    const reports = [
      await summary(),
      first,
      await customers({ limit: 1, sort: "customer_asc", cursor: first.pagination.next_cursor }),
      await installments({ limit: 100 }),
    ];
    expect(new Set(reports.map((report) => report.revision)).size).toBe(1);
  });

  it("see rows exchange their values [service.2.6.revision]", async () => {
    const { book, summary, opened } = desk();
    const { installments } = await book.invoice({}, [
      { erp_outstanding: "10", due_date: "2026-01-01" },
      { erp_outstanding: "20", due_date: "2026-01-02" },
    ]);
    const swap = (columns: readonly ("collection_outstanding" | "due_date")[]) =>
      opened.store.write(book.tenantId, async (tx) => {
        for (const [index, row] of installments.entries()) {
          const other = found(installments[1 - index]);
          touchInvoices(tx, [row.invoice_id]);
          await tx
            .updateTable("installments")
            .set(Object.fromEntries(columns.map((column) => [column, other[column]])))
            .where("tenant_id", "=", book.tenantId)
            .where("installment_id", "=", row.installment_id)
            .execute();
        }
      });
    const before = await summary();
    await swap(["collection_outstanding"]);
    const swapped = await summary();
    await swap(["collection_outstanding", "due_date"]);
    const both = await summary();
    expect(new Set([before, swapped, both].map((report) => report.revision)).size).toBe(3);
    expect(swapped.totals).toEqual(before.totals);
  });

  it("have at most 400 characters, however long the names [service.8.aging-cursor]", async () => {
    const { book, customers, installments } = desk();
    const name = "𝔘𝔫𝔤𝔢𝔥𝔢𝔲𝔢𝔯 ".repeat(40);
    for (const currency of [null, "USD"]) {
      await book.invoice({
        origin: "local",
        due_date: "2026-03-01",
        currency,
        customer_name: name,
        invoice_number: name,
      });
      await book.invoice({ customer: await book.customer({ name, number: name }), currency }, [{}, {}]);
    }
    for (const ask of [customers, installments])
      for (const sort of ["overdue_desc", "outstanding_desc", "customer_asc"]) {
        const input = { limit: 1, sort, search: name.slice(0, 190) };
        let cursor: string | null = null;
        let rows = 0;
        do {
          const page: Awaited<ReturnType<typeof ask>> = await ask({ ...input, ...(cursor !== null && { cursor }) });
          rows += page.data.length;
          cursor = page.pagination.next_cursor;
          expect(cursor?.length ?? 1).toBeLessThanOrEqual(400);
        } while (cursor !== null);
        expect(rows).toBe(ask === customers ? 4 : 6);
      }
  });
});
