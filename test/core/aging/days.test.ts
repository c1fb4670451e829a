import { describe, expect, it } from "vitest";
import { addDays } from "../../../src/core/kernel/calendar.ts";
import { BOOK_TIME } from "../../support/book.ts";
import { storesOf } from "../../support/stores.ts";
import { Desk, desks } from "./support.ts";

describe.each(storesOf(import.meta.url))("aging by days on $name", ({ open }) => {
  const desk = desks(open);

  it("puts each debt into the one bucket of its days, at every edge [service.4.10.bucket] [service.4.10.overdue-only] [completions.6.days-overdue]", async () => {
    const { book, summary, customers, installments } = desk();
    const edges: [string, number, string][] = [
      ["2025-12-09", 91, "over_90"],
      ["2025-12-10", 90, "days_61_90"],
      ["2026-01-08", 61, "days_61_90"],
      ["2026-01-09", 60, "days_31_60"],
      ["2026-02-07", 31, "days_31_60"],
      ["2026-02-08", 30, "days_1_30"],
      ["2026-03-09", 1, "days_1_30"],
      ["2026-03-10", 0, "current"],
      ["2026-03-11", -1, "current"],
    ];
    await book.invoice(
      {},
      edges.map(([due_date], index) => ({ due_date, erp_outstanding: String(2 ** index) })),
    );
    const { data, totals } = await installments();
    expect(data.map((row) => [row.due_date, row.days_overdue, row.bucket])).toEqual(edges);
    expect(totals).toEqual([
      {
        ...{ currency: "USD", as_of: BOOK_TIME, outstanding: "511.00", overdue: "127.00", current: "384.00" },
        ...{ days_1_30: "96.00", days_31_60: "24.00", days_61_90: "6.00", over_90: "1.00" },
      },
    ]);
    for (const bucket of ["current", "days_1_30", "days_31_60", "days_61_90", "over_90"] as const) {
      const only = edges.filter(([, , name]) => name === bucket).map(([due_date]) => due_date);
      expect((await installments({ bucket })).data.map((row) => row.due_date)).toEqual(only);
      const sums = { outstanding: totals[0]?.[bucket], [bucket]: totals[0]?.[bucket] };
      expect((await customers({ bucket })).data).toMatchObject([{ ...sums, installment_count: only.length }]);
    }
    expect((await installments({ overdue_only: true })).data).toHaveLength(7);
    expect((await installments({ overdue_only: true, bucket: "current" })).data).toEqual([]);
    expect((await summary({ overdue_only: true, bucket: "over_90" })).totals).toMatchObject([{ outstanding: "1.00" }]);
  });

  it.each([
    ["America/New_York", "2026-03-08T04:59:59.999Z", "2026-03-07", "the last moment before the clocks go forward"],
    ["America/New_York", "2026-03-09T03:59:59.999Z", "2026-03-08", "the end of the short day"],
    ["America/New_York", "2026-03-09T04:00:00.000Z", "2026-03-09", "the day after, an hour earlier"],
    ["America/New_York", "2026-11-02T04:59:59.999Z", "2026-11-01", "the end of the long day"],
    ["Pacific/Apia", "2026-03-10T10:59:59.999Z", "2026-03-10", "the far side of the date line"],
    ["Pacific/Apia", "2026-03-10T11:00:00.000Z", "2026-03-11", "a day that is the next one already"],
    ["Asia/Kathmandu", "2026-03-10T18:14:59.999Z", "2026-03-10", "a quarter of an hour's offset"],
    ["Asia/Kathmandu", "2026-03-10T18:15:00.000Z", "2026-03-11", "a quarter of an hour's offset"],
    ["Pacific/Pago_Pago", "2027-01-01T10:59:59.999Z", "2026-12-31", "the end of the year, late"],
  ])("ages by the business day in %s: at %s it is %s (%s) [service.2.6.report-date]", async (timezone, now, today) => {
    const { book, clock, installments } = await Desk.open(desk().opened, timezone);
    clock.set(now);
    const dates = [1, 0, -1].map((days) => addDays(today, -days));
    await book.invoice(
      {},
      dates.map((due_date) => ({ due_date })),
    );
    const report = await installments();
    expect(report).toMatchObject({ report_date: today, timezone, generated_at: now });
    expect(report.data.map((row) => [row.days_overdue, row.bucket])).toEqual([
      [1, "days_1_30"],
      [0, "current"],
      [-1, "current"],
    ]);
  });
});
