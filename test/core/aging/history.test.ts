import { describe, expect, it } from "vitest";
import { verifyAging } from "../../../src/store/aging/verify.ts";
import { storesOf } from "../../support/stores.ts";
import { desks, LATER } from "./support.ts";

const HISTORY = { include: "payment_history" } as const;
const closed = (due_date: string | null, closed_on: string | null) => ({
  ...{ due_date, closed_on, closed: true, erp_outstanding: "0" },
});

describe.each(storesOf(import.meta.url))("payment history in aging on $name", ({ open }) => {
  const desk = desks(open);

  it("invents nothing where the ERP tells no closing date, or few [completions.10.payment-history-unknown]", async () => {
    const { book, customers, installments } = desk();
    const customer = await book.customer();
    await book.invoice({ customer }, [
      { due_date: "2026-03-20" },
      closed("2026-01-10", null),
      closed(null, "2026-01-10"),
      { ...closed("2026-01-10", "2026-01-10"), removed_at: LATER },
      { ...closed("2026-01-10", "2026-01-10"), closed: false },
    ]);
    const none = { paid_installments: 0, median_days_late: null, average_days_late: null, on_time_share: null };
    expect((await customers(HISTORY)).data).toMatchObject([none]);
    await book.invoice({ customer }, [closed("2026-01-10", "2026-01-01"), closed("2026-01-10", "2026-01-02")]);
    const two = { paid_installments: 2, median_days_late: -8.5, average_days_late: -8.5, on_time_share: 1 };
    expect((await customers(HISTORY)).data).toMatchObject([two]);
    expect((await installments(HISTORY)).data).toMatchObject([{ paid_installments: 2, expected_date: null }]);
    expect((await installments({ ...HISTORY, expected_from: "2020-01-01" })).totals).toEqual([]);
    await book.invoice({ customer }, [closed("2026-01-10", "2026-01-03"), closed("2026-01-10", "2026-01-04")]);
    expect((await installments(HISTORY)).data).toMatchObject([{ expected_date: "2026-03-13" }]);
  });

  it("forecasts no day that is past, nor one that cannot be written, and says what should be in [completions.10.past-expected]", async () => {
    const { book, clock, summary, customers, installments } = desk();
    const customer = await book.customer();
    const late = (days: number) =>
      closed("2026-01-01", new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10));
    await book.invoice({ customer }, [
      { due_date: "2026-02-15", erp_outstanding: "1.25" },
      { due_date: "2026-02-16", erp_outstanding: "2.00" },
      { due_date: "9999-12-30", erp_outstanding: "4.00" },
      late(10),
      late(14),
      late(20),
    ]);
    await book.invoice({ customer: await book.customer(), currency: "EUR" }, [{ due_date: "2025-01-01" }]);
    const told = async (filters = {}) => ({
      totals: (await summary({ ...HISTORY, ...filters })).totals.map((row) => row.past_expected),
      customers: (await customers({ ...HISTORY, ...filters })).data.map((row) => row.past_expected),
      dates: (await installments({ ...HISTORY, ...filters, currency: "USD" })).data.map((row) => row.expected_date),
      past: (await installments({ ...HISTORY, ...filters, currency: "USD" })).data.map((row) => row.past_expected),
    });
    clock.set("2026-03-02T12:00:00Z");
    expect(await told()).toEqual({
      ...{ totals: ["0.00", "1.25"], customers: ["0.00", "1.25"] },
      ...{ dates: [null, "2026-03-02", null], past: [true, false, false] },
    });
    clock.advance(86_400_000);
    const [all, narrowed] = [{ totals: ["0.00", "3.25"], customers: ["0.00", "3.25"] }, ["2.00"]];
    expect(await told()).toEqual({ ...all, dates: [null, null, null], past: [true, true, false] });
    expect(await told({ due_from: "2026-02-16", due_to: "2026-02-16" })).toEqual({
      ...{ totals: narrowed, customers: narrowed, dates: [null], past: [true] },
    });
    expect(await told({ customer_key: customer.customer_id, overdue_only: true })).toMatchObject({
      ...{ totals: ["3.25"], customers: ["3.25"] },
    });
    expect((await summary({ ...HISTORY, expected_from: "2026-01-01" })).totals).toEqual([]);
  });

  it("says what should be in as habits change, whichever invoice changes them [completions.10.past-expected]", async () => {
    const { book, clock, customers, opened, summary } = desk();
    const customer = await book.customer();
    const due = ["2026-02-01", "2026-02-20", "2026-03-08", "2026-03-20"];
    await book.invoice(
      { customer },
      due.map((due_date, index) => ({ due_date, erp_outstanding: String(2 ** index) })),
    );
    const told: unknown[] = [];
    const pay = async (count: number, closedOn: string): Promise<void> => {
      if (count > 0) await book.invoice({ customer }, Array(count).fill(closed("2026-01-01", closedOn)));
      const { totals } = await summary(HISTORY);
      const rows = [
        ...totals,
        ...(await customers(HISTORY)).data,
        ...(await summary({ ...HISTORY, bucket: "days_1_30" })).totals,
      ];
      told.push(rows.map((row) => row.past_expected));
      const { differences } = await opened.store.read(book.tenantId, (tx) => verifyAging(tx, book.tenantId));
      expect(differences).toBe(0);
    };
    await pay(2, "2026-01-11");
    await pay(1, "2026-01-11");
    await pay(4, "2026-01-01");
    await pay(8, "2026-01-26");
    clock.advance(8 * 86_400_000);
    await pay(0, "");
    expect(told).toEqual([
      ["0.00", "0.00", "0.00"],
      ["3.00", "3.00", "2.00"],
      ["7.00", "7.00", "6.00"],
      ["1.00", "1.00", "0.00"],
      ["3.00", "3.00", "2.00"],
    ]);
  });

  it("follows the days: what is older than two years no longer counts [completions.10.payment-history-window]", async () => {
    const { book, clock, customers, opened } = desk();
    const customer = await book.customer();
    await book.invoice({ customer }, [
      { due_date: "2026-04-30" },
      closed("2024-03-10", "2024-03-10"),
      closed("2024-03-01", "2024-03-11"),
      closed("2024-03-01", "2024-03-13"),
    ]);
    const count = async () => (await customers(HISTORY)).data.map((row) => row.paid_installments);
    const counts: unknown[] = [];
    for (const days of [0, 1, 1, 1, 1, -3]) {
      clock.advance(days * 86_400_000);
      counts.push(...(await count()));
      const { differences } = await opened.store.read(book.tenantId, (tx) => verifyAging(tx, book.tenantId));
      expect(differences).toBe(0);
    }
    expect(counts).toEqual([3, 2, 1, 1, 0, 2]);
  });

  it("is refused by name where it is not included, or in another form [completions.10.payment-history-refused]", async () => {
    const { summary, customers, installments } = desk();
    const needed = "needs `include=payment_history`";
    const crossed = { expected_from: "2026-03-02", expected_to: "2026-03-01" };
    const wrong: [field: string, message: string, input: object][] = [
      ["expected_from", needed, { expected_from: "2026-03-01" }],
      ["expected_to", needed, { expected_to: "2026-03-01" }],
      ["sort", needed, { sort: "days_late_desc" }],
      ["include", "`payment_history`", { include: "history" }],
      ["expected_to", "YYYY-MM-DD", { ...HISTORY, expected_to: "soon" }],
      ["expected_from", "must not be after `expected_to`", { ...HISTORY, ...crossed }],
    ];
    for (const [field, message, input] of wrong)
      for (const ask of [summary, customers, installments])
        await expect(ask(input), JSON.stringify(input)).rejects.toMatchObject({
          code: "validation_failed",
          details: [{ field, message: expect.stringContaining(message) }],
        });
  });
});
