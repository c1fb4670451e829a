import { describe, expect, it } from "vitest";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { readListFile } from "../support/csv.ts";
import { integrationRow, linkRow, paymentRow } from "../support/furnish.ts";
import { call, refusal } from "../support/lists.ts";
import { addRows } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";

/** When payments were made in a zone, and the days of the workspace that they are of. */
const PAID = {
  // Clocks go forward on 8 March and back on 1 November.
  "America/New_York": [
    ["2026-03-01T04:59:59.999Z", "2026-02-28"],
    ["2026-03-01T05:00:00.000Z", "2026-03-01"],
    ["2026-03-09T03:30:00.000Z", "2026-03-08"],
    // Half past eleven in the evening of the month's last day.
    ["2026-04-01T03:30:00.000Z", "2026-03-31"],
    ["2026-04-01T04:00:00.000Z", "2026-04-01"],
    ["2026-11-02T04:59:59.999Z", "2026-11-01"],
  ],
  "Pacific/Kiritimati": [
    ["2026-02-28T09:59:59.999Z", "2026-02-28"],
    ["2026-02-28T10:00:00.000Z", "2026-03-01"],
    ["2026-03-31T09:30:00.000Z", "2026-03-31"],
    ["2026-03-31T10:00:00.000Z", "2026-04-01"],
  ],
} as const;

describe.each(STORES)("the day of a payment on $name", ({ open }) => {
  const site = useAuthApp(open);

  async function world(timezone: keyof typeof PAID) {
    const { store } = site.app.core;
    const book = await openBook(store, { timezone });
    const integration = integrationRow(book.tenantId);
    await addRows(store, book.tenantId, { payment_integrations: integration });
    const paid: { id: string; at: string; day: string }[] = [];
    for (const [at, day] of PAID[timezone]) {
      const [installment] = (await book.invoice({}, [{}])).installments;
      const link = linkRow(installment, integration.payment_integration_id, { state: "paid" });
      // The service learnt of it a day later.
      const confirmed = new Date(Date.parse(at) + 86_400_000).toISOString();
      const payment = paymentRow(link, { paid_at: at, confirmed_at: confirmed });
      await addRows(store, book.tenantId, { payment_links: [link], payments: payment });
      paid.push({ id: payment.payment_id, at, day });
    }
    const ask = (filters: object) => call(site.app.core, listPayments, book.reader, filters);
    const idsWith = async (filters: object) => (await ask(filters)).data.map(({ id }) => id).sort();
    const idsOf = (holds: (day: string) => boolean) => paid.flatMap(({ id, day }) => (holds(day) ? [id] : [])).sort();
    return { book, paid, ask, idsWith, idsOf };
  }

  it.each(["America/New_York", "Pacific/Kiritimati"] as const)(
    "is that of paid_at in %s, and ranges include both ends [completions.13.paid-days]",
    async (timezone) => {
      const { ask, idsWith, idsOf, paid } = await world(timezone);
      const [from, to] = ["2026-03-01", "2026-03-31"];
      const march = idsOf((day) => day >= from && day <= to);
      expect(march).toHaveLength(timezone === "America/New_York" ? 3 : 2);
      expect(await idsWith({ paid_from: from, paid_to: to })).toEqual(march);
      for (const { day } of paid) {
        expect(await idsWith({ paid_from: day, paid_to: day })).toEqual(idsOf((one) => one === day));
        expect(await idsWith({ paid_from: day })).toEqual(idsOf((one) => one >= day));
        expect(await idsWith({ paid_to: day })).toEqual(idsOf((one) => one <= day));
      }
      expect(await idsWith({ paid_from: "0001-01-01", paid_to: "9999-12-31" })).toEqual(idsOf(() => true));
      expect(await idsWith({ paid_to: to, confirmed_since: "2026-04-02" })).toEqual([]);
      const { totals } = await ask({ paid_from: from, paid_to: to, include_total: true });
      expect(totals).toMatchObject([{ count: march.length }]);
      const details = [{ field: "paid_from", message: "must not be after `paid_to`, which is 2026-03-01" }];
      const refused = await refusal(ask({ paid_from: to, paid_to: from }));
      expect(refused).toMatchObject({ error: { code: "validation_failed", details } });
    },
  );

  it("is what the page filters by and shows, and the file has [completions.13.paid-days]", async () => {
    const { book, paid } = await world("America/New_York");
    const { email } = await site.app.addPerson(book.tenantId);
    const browser = await site.app.signedIn(email);
    const march = "paid_from=2026-03-01&paid_to=2026-03-31";
    const page = await browser.open(`/payments?${march}`);
    expect(page.text).toMatch(/Paid from .*Paid until /);
    expect(page.text).not.toMatch(/Confirmed (from|before)/);
    expect(page.text).toContain("31 Mar 2026, 23:30");
    expect(page.text).not.toContain("1 Apr 2026");
    const { heads, rows } = readListFile((await browser.open(`/payments.csv?${march}`)).html);
    expect(heads.slice(0, 4)).toEqual(["Paid date", "Invoice number", "Customer number", "Customer name"]);
    expect(heads).toEqual(expect.arrayContaining(["Amount", "Currency", "Paid at (America/New_York)"]));
    expect(rows.map((row) => [row.paid_at, row.paid_date])).toContainEqual(["2026-03-31 23:30", "2026-03-31"]);
    for (const path of ["payments", "payment-links"]) {
      const file = readListFile((await browser.open(`/${path}.csv`)).html);
      expect(file.heads.join()).not.toMatch(/minor|[a-z]_[a-z]/);
      expect(file.names.findLastIndex((name) => !/(^|_)id$/.test(name))).toBeLessThan(file.names.indexOf("id"));
      expect(Number(file.rows[0]?.amount)).toBeGreaterThan(0);
    }
    expect(rows.map((row) => row.paid_date).sort()).toEqual(
      paid
        .map(({ day }) => day)
        .filter((day) => day.startsWith("2026-03"))
        .sort(),
    );
  });
});
