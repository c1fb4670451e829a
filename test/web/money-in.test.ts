import { describe, expect, it } from "vitest";
import { useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { integrationRow, linkRow, paymentRow } from "../support/furnish.ts";
import { amountsIn } from "../support/receivables-pages.ts";
import { addRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const hrefsOf = (markup: string): string[] =>
  [...markup.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = ""]) => href.replaceAll("&amp;", "&"));

describe.each(A_STORE)("money in on the overview on $name", ({ open }) => {
  const site = useAuthApp(open);

  it("says what was paid this week and month and in those before, by days of the workspace [pages.look.money-in]", async () => {
    const { store } = site.app.core;
    // Its days begin 14 hours before those of UTC.
    const book = await openBook(store, { timezone: "Pacific/Kiritimati" });
    const integration = integrationRow(book.tenantId);
    await addRows(store, book.tenantId, { payment_integrations: integration });
    const start = Date.parse(`${new Date(site.clock.now().getTime() + 14 * 3_600_000).toISOString().slice(0, 10)}Z`);
    const today = new Date(start);
    const day = 86_400_000;
    const monday = start - ((today.getUTCDay() + 6) % 7) * day;
    const first = Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1);
    const before = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - 1, 1);
    const periods = [
      [monday, start + day],
      [monday - 7 * day, monday],
      [first, start + day],
      [before, first],
    ] as const;
    const edges = [...new Set(periods.flatMap((period) => [...period]))];
    // At the first and at the last moment of days there.
    const paid = edges.flatMap((edge) => [edge, edge - 1]).map((at, index) => ({ at, cents: 10 ** index }));
    for (const [currency, times] of [
      ["USD", 1],
      ["EUR", 3],
    ] as const)
      for (const { at, cents } of paid) {
        const [installment] = (await book.invoice({ currency }, [{}])).installments;
        const amount = (cents * times) / 100;
        const given = {
          currency,
          amount: amount.toFixed(2),
          amount_minor: String(cents * times),
          state: "paid",
        } as const;
        const link = linkRow(installment, integration.payment_integration_id, given);
        const paid_at = new Date(at - 14 * 3_600_000).toISOString();
        const payments = paymentRow(link, { paid_at, erp_push_status: "reversed", refunded_minor: "1" });
        await addRows(store, book.tenantId, { payment_links: [link], payments });
      }
    const { email } = await site.app.addPerson(book.tenantId);
    const browser = await site.app.signedIn(email);
    const page = await browser.open("/");
    expect(page.text).toContain("Paid through links; refunds and reversed receipts are not taken off.");
    for (const [words, query] of [
      ["refunds", "refunded=true"],
      ["reversed receipts", "erp_push_status=reversed"],
    ])
      expect(page.html).toMatch(new RegExp(`href="/payments\\?[^"]*${query}[^"]*">${words}</a>`));
    expect((await browser.open("/payments?refunded=false")).text).toContain("No payment matches");
    const shown = page.html.split("Money in")[2]?.split("</table>")[0] ?? "";
    const expected = (
      [
        ["EUR", 3],
        ["USD", 1],
      ] as const
    ).flatMap(([, times]) =>
      periods.map(([from, to]) => {
        const within = paid.filter(({ at }) => at >= from && at < to);
        return (within.reduce((sum, { cents }) => sum + cents * times, 0) / 100).toFixed(2);
      }),
    );
    expect(amountsIn(shown)).toEqual(expected);
    for (const [index, href] of hrefsOf(shown).entries())
      expect(amountsIn((await browser.open(href)).html.split("totals")[1]?.split("</table>")[0] ?? ""), href).toEqual([
        expected[index],
      ]);
  });

  it("says what is expected in each of eight weeks, by due date and by habit, and what is past it [pages.look.expected-weeks]", async () => {
    const { store } = site.app.core;
    const book = await openBook(store, { timezone: "Pacific/Kiritimati" });
    const today = new Date(site.clock.now().getTime() + 14 * 3_600_000).toISOString().slice(0, 10);
    const dayAfter = (days: number, from = today) =>
      new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10);
    const monday = dayAfter(-((new Date(today).getUTCDay() + 6) % 7));
    const customer = await book.customer();
    // Ten days late, three times.
    const paid = { due_date: dayAfter(-40), closed_on: dayAfter(-30), closed: true, erp_outstanding: "0" };
    const dues = [-11, -10, -1, 0, 6, 7, 40, 55, 56].map((days) =>
      days < 0 ? dayAfter(days) : dayAfter(days, monday),
    );
    const owed = dues.map((due_date, index) => ({ due_date, erp_outstanding: String(10 ** index) }));
    await book.invoice({ customer }, [paid, paid, paid, ...owed]);
    await book.invoice({ customer: await book.customer(), currency: "EUR" }, [{ due_date: today }]);
    const { email } = await site.app.addPerson(book.tenantId);
    const browser = await site.app.signedIn(email);
    const { html } = await browser.open("/?currency=USD");
    const [part = ""] = html.split("Expected in USD</h2>")[1]?.split("</table>") ?? [];
    const rows = part.split("<tr>").slice(2).map(amountsIn);
    const sums = (on: (due: string) => string) =>
      Array.from({ length: 8 }, (_, week) => {
        const [first, last] = [dayAfter(7 * week, monday), dayAfter(7 * week + 6, monday)];
        const within = owed.filter(
          ({ due_date }) => on(due_date) >= today && on(due_date) >= first && on(due_date) <= last,
        );
        return within.reduce((sum, { erp_outstanding }) => sum + Number(erp_outstanding), 0);
      });
    const [due, usual] = [sums((day) => day), sums((day) => dayAfter(10, day))];
    const inWords = (amounts: readonly number[]) => amounts.map((amount) => amount.toFixed(2));
    expect(rows.slice(1, 9)).toEqual(due.map((sum, week) => inWords([sum, usual[week] ?? 0])));
    const until = (on: (due: string) => string) =>
      owed.reduce((sum, { due_date: day, erp_outstanding: owes }) => sum + (on(day) < today ? Number(owes) : 0), 0);
    expect(rows[0]).toEqual(inWords([until((day) => day), until((day) => dayAfter(10, day))]));
  });
});
