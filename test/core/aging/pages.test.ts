import { describe, expect, it } from "vitest";
import { STORES } from "../../support/stores.ts";
import { desks } from "./support.ts";

/** Where a walk ends. */
const WHOLE = { next_cursor: null, as_of: expect.any(String) };

describe.each(STORES)("aging pages and orders on $name", ({ open }) => {
  const desk = desks(open);

  it("has neither rows nor pages in the summary [service.4.10.4]", async () => {
    const { book, summary, customers, installments } = desk();
    await book.invoice({}, [{}]);
    const { data, pagination, ...envelope } = await customers();
    expect(data).toHaveLength(1);
    expect(pagination).toEqual({ ...WHOLE, total_count: 1, limit: 50 });
    expect(await summary({ sort: "customer_asc", limit: 3 })).toEqual(envelope);
    expect((await installments()).pagination).toEqual({ ...WHOLE, total_count: 1, limit: 50 });
  });

  it("ranks money within a currency, largest first [service.4.10.sort]", async () => {
    const { book, customers } = desk();
    const owes: [string, string, string, string][] = [
      ["Beta", "USD", "5", "100"],
      ["alpha", "USD", "50", "0"],
      ["Gamma", "USD", "5", "0"],
      ["alpha", "EUR", "1", "2"],
      ["Beta", "EUR", "2", "0"],
    ];
    const names = new Map(
      await Promise.all(["alpha", "Beta", "Gamma"].map(async (name) => [name, await book.customer({ name })] as const)),
    );
    for (const [name, currency, overdue, current] of owes) {
      const customer = names.get(name);
      await book.invoice({ ...(customer && { customer }), currency }, [
        { due_date: "2026-01-01", erp_outstanding: overdue },
        { due_date: "2026-05-01", erp_outstanding: current },
      ]);
    }
    const order = async (sort?: string) =>
      (await customers(sort === undefined ? {} : { sort })).data.map((row) => `${row.currency} ${row.customer_name}`);
    const byOverdue = ["EUR Beta", "EUR alpha", "USD alpha", "USD Beta", "USD Gamma"];
    expect(await order()).toEqual(byOverdue);
    expect(await order("overdue_desc")).toEqual(byOverdue);
    expect(await order("outstanding_desc")).toEqual(["EUR alpha", "EUR Beta", "USD Beta", "USD alpha", "USD Gamma"]);
    expect(await order("customer_asc")).toEqual(["EUR alpha", "EUR Beta", "USD alpha", "USD Beta", "USD Gamma"]);
  });

  it("orders installments by due date, invoice and installment, under any sort [service.4.10.sort]", async () => {
    const { book, installments } = desk();
    const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
    await book.invoice({ invoice_id: id(2), currency: "EUR" }, [
      { installment_id: id(9), sequence_number: 1, due_date: "2026-03-01" },
      { installment_id: id(8), sequence_number: 2, due_date: "2026-03-01" },
      { installment_id: id(7), sequence_number: null, due_date: "2026-03-01" },
      { installment_id: id(6), sequence_number: null, due_date: "2026-03-01" },
    ]);
    await book.invoice({ invoice_id: id(1), due_date: "2026-03-01" });
    await book.invoice({ invoice_id: id(3) }, [{ installment_id: id(5), due_date: "2026-02-01" }]);
    const ids = async (input: object) => (await installments(input)).data.map((row) => row.installment_id);
    const order = [id(5), null, id(9), id(8), id(6), id(7)];
    for (const sort of ["overdue_desc", "outstanding_desc", "customer_asc"]) expect(await ids({ sort })).toEqual(order);
  });

  it("pages 50 rows unless asked otherwise, and counts them all [service.8.aging-page] [service.2.6.pagination]", async () => {
    const { book, installments } = desk();
    await book.invoice(
      {},
      Array.from({ length: 103 }, (_, index) => ({ sequence_number: index + 1, erp_outstanding: "1" })),
    );
    const first = await installments();
    expect(first.data).toHaveLength(50);
    expect(first.pagination).toMatchObject({ total_count: 103, limit: 50 });
    expect(first.totals).toMatchObject([{ outstanding: "103.00" }]);
    const second = await installments({ cursor: first.pagination.next_cursor });
    expect(second.data.map((row) => row.sequence_number)).toEqual(Array.from({ length: 50 }, (_, index) => index + 51));
    const large = await installments({ limit: 100 });
    expect(large.data).toHaveLength(100);
    const rest = await installments({ limit: 100, cursor: large.pagination.next_cursor });
    expect(rest.data.map((row) => row.sequence_number)).toEqual([101, 102, 103]);
    expect(rest.pagination).toEqual({ ...WHOLE, total_count: 103, limit: 100 });
  });
});
