import { describe, expect, it } from "vitest";
import { addDays } from "../../src/core/kernel/calendar.ts";
import { money, sum } from "../../src/core/kernel/money.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { openBook } from "../support/book.ts";
import { amountsOf, totalOf } from "../support/shown-figures.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("figures of debts on $name", ({ open }) => {
  const site = useAuthApp(open);

  /** Two customers, of whom one has a habit, with debts of all ages and days. */
  async function world() {
    const today = site.clock.now().toISOString().slice(0, 10);
    const book = await openBook(site.app.core.store);
    const [known, unknown] = [await book.customer({ name: "Known" }), await book.customer({ name: "Unknown" })];
    const paid = addDays(today, -200);
    for (let count = 0; count < 3; count += 1)
      await book.invoice({ customer: known }, [
        {
          due_date: paid,
          original_amount: "10.00",
          erp_outstanding: "0",
          closed_on: addDays(paid, 10),
          closed: true,
        },
      ]);
    for (const [index, day] of [-100, -70, -40, -15, -5, 0, 3, 20, 60, 300].entries())
      for (const customer of [known, unknown])
        await book.invoice({ customer, currency: index % 3 === 0 ? "EUR" : "USD" }, [
          { due_date: addDays(today, day), original_amount: `${index + 1}0.0${index}` },
        ]);
    const { email } = await site.app.addPerson(book.tenantId);
    return { browser: await site.app.signedIn(email), known };
  }

  const linked = (markup: string) =>
    [...markup.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(?:<span[^>]*>)?<data class="amount[^"]*" value="([^"]*)"/g)].map(
      ([, href = "", value]) => ({ href: href.replaceAll("&amp;", "&"), value }),
    );

  it("lead to the rows that they add up, from totals and from a customer [pages.look.figures]", async () => {
    const { browser, known } = await world();
    const paths = ["/customers", "/installments?currency=USD&due_to=2999-01-01", `/customers/${known.customer_id}`];
    for (const path of paths) {
      const found = linked((await browser.open(path)).html);
      expect(found.length, path).toBeGreaterThan(5);
      for (const { href, value } of found) expect(totalOf(await browser.open(href))[0], href).toBe(value);
    }
  });

  it("say nothing of the habit of who paid less than three times [pages.look.expected]", async () => {
    const { browser } = await world();
    const { html } = await browser.open("/customers?currency=USD&sort=customer_asc");
    const past = [...html.matchAll(/data-label="Past habit"([\s\S]*?)<\/td>/g)].map(([, cell = ""]) => amountsOf(cell));
    expect(past.slice(-2)).toEqual([["50.03"], []]);
  });

  it("are expected before today, in one of eight weeks, later, or without a habit: all that is outstanding [pages.look.overview]", async () => {
    const { browser } = await world();
    for (const currency of ["EUR", "USD"]) {
      const { html } = await browser.open(`/?currency=${currency}`);
      const [part = ""] = html.split(`Expected in ${currency}</h2>`)[1]?.split("</table>") ?? [];
      for (const { href, value } of linked(part))
        expect(totalOf(await browser.open(href))[0] ?? "0.00", href).toBe(value);
      const rows = part.split("<tr>").slice(2).map(amountsOf);
      const [outstanding, withoutHabit = [], ...days] = rows.toReversed();
      const total = (amounts: readonly (string | undefined)[]) =>
        sum(amounts.map((one = "0") => money(one))).toFixed(2);
      const usual = total([...days.map(([, habit]) => habit), ...withoutHabit]);
      expect([rows.length, total(days.map(([due]) => due)), usual], currency).toEqual([12, ...(outstanding ?? [])]);
      expect(withoutHabit).not.toEqual(["0.00"]);
      expect(days.filter(([due, habit]) => due !== habit).length).toBeGreaterThan(2);
    }
  });
});
