import { describe, expect, it } from "vitest";
import { revokeAssistants } from "../../auth/revoke-assistants.ts";
import { listCustomerAging } from "../../src/core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../src/core/aging/operations/summarize-aging.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { addDays } from "../../src/core/kernel/calendar.ts";
import { readableMoney } from "../../src/core/mail/readable.ts";
import { PASSWORD, useAuthApp } from "../support/auth-app.ts";
import { connectionRow, customerRow, openBook } from "../support/book.ts";
import { Browser, type BrowserPage } from "../support/browser.ts";
import { furnishCollecting } from "../support/furnish.ts";
import { register, signInAndApprove } from "../support/oauth-client.ts";
import { taskRow } from "../support/rows.ts";
import { amountsOf, hrefsOf, totalOf } from "../support/shown-figures.ts";
import { addRows, setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the overview on $name", ({ open }) => {
  const site = useAuthApp(open);

  async function bookWithDebts() {
    const { store } = site.app.core;
    const book = await openBook(store);
    const today = site.clock.now().toISOString().slice(0, 10);
    const customer = await book.customer({ name: "Globex" });
    const nameless = await book.customer({ name: "No mail", email: null });
    const days = [-100, -70, -40, -5, 0, 3, 20, 60];
    const made = [];
    for (const [index, day] of days.entries())
      made.push(
        await book.invoice({ customer, currency: index % 3 === 0 ? "EUR" : "USD" }, [
          { due_date: addDays(today, day), original_amount: `${index + 1}0.01` },
        ]),
      );
    const unmailed = { collectible: false, not_collectible_reason: "no_billing_email" } as const;
    await book.invoice({ customer: nameless, collection_status: "inactive" }, [{ due_date: today, ...unmailed }]);
    const [first] = made;
    const [installment] = first?.installments ?? [];
    if (first === undefined || installment === undefined) throw new Error("the book is empty");
    await furnishCollecting(store, installment);
    await addRows(store, book.tenantId, { tasks: taskRow(book.tenantId, first.invoice.invoice_id) });
    await setRows(store, book.tenantId, "erp_connections", {
      status: "requires_reauthentication",
      last_successful_sync_at: "2026-01-01T00:00:00.000Z",
    });
    const { email } = await site.app.addPerson(book.tenantId);
    return { book, today, email };
  }

  it("has the API's figures, and each of them leads to its rows [pages.look.overview]", async () => {
    const { book, today, email } = await bookWithDebts();
    const browser = await site.app.signedIn(email);
    const request = { core: site.app.core, requestId: "r" };
    const ask = (input: object) => summarizeAging.call(book.reader, input, request);
    const all = await ask({});
    const soon = [
      await ask({ due_from: today, due_to: addDays(today, 7) }),
      await ask({ due_from: today, due_to: addDays(today, 30) }),
    ];
    const of = (totals: (typeof all)["totals"], currency: string) =>
      totals.find((total) => total.currency === currency);

    for (const currency of ["USD", "EUR"]) {
      const page = await browser.open(`/?currency=${currency}`);
      const total = of(all.totals, currency);
      const large = /<dl class="key money">([\s\S]*?)<\/dl>/.exec(page.html)?.[1] ?? "";
      expect(amountsOf(large)).toEqual([
        total?.outstanding,
        total?.overdue,
        ...soon.map((report) => of(report.totals, currency)?.outstanding ?? "0.00"),
      ]);
      for (const [index, href] of hrefsOf(large).entries())
        expect(totalOf(await browser.open(href))[index === 1 ? 1 : 0] ?? "0.00", href).toBe(amountsOf(large)[index]);
      const chart = new RegExp(`aria-label="Aging in ${currency}[^"]*">([\\s\\S]*?)</svg>([\\s\\S]*?)</table>`).exec(
        page.html,
      );
      const buckets = [total?.current, total?.days_1_30, total?.days_31_60, total?.days_61_90, total?.over_90];
      expect(amountsOf(chart?.[2] ?? "")).toEqual(buckets);
      const bars = hrefsOf(chart?.[1] ?? "");
      expect(bars).toEqual(hrefsOf(chart?.[2] ?? ""));
      for (const [index, href] of bars.entries())
        expect(totalOf(await browser.open(href))[0] ?? "0.00", href).toBe(buckets[index]);
      // Of all currencies, in the order of the lists.
      const { data } = await listCustomerAging.call(book.reader, { limit: 10 }, request);
      const most = page.html.split("Most overdue customers").slice(1).join();
      expect(amountsOf(most)).toEqual(
        data.filter(({ overdue }) => overdue !== "0.00").flatMap((row) => [row.overdue, row.outstanding]),
      );
      expect(most).toMatch(/EUR[\s\S]*USD/);
    }
  });

  it("charts the currencies of most invoices, names the others, and has the debtors of all [pages.look.overview]", async () => {
    const book = await openBook(site.app.core.store);
    const customer = await book.customer({ name: "Globex" });
    const codes = ["AUD", "CAD", "CHF", "EUR", "GBP", "JPY", "SEK", "USD"];
    for (const currency of [...codes, ...codes.slice(1)])
      await book.invoice({ customer, currency }, [{ due_date: "2020-01-01", original_amount: "5" }]);
    const { email } = await site.app.addPerson(book.tenantId);
    const browser = await site.app.signedIn(email);
    const chartsOf = ({ html }: BrowserPage) => [...html.matchAll(/<h3>([A-Z]{3})</g)].map(([, code]) => code);
    const page = await browser.open("/");
    expect(chartsOf(page)).toEqual(codes.slice(1, 7));
    expect(page.text).toMatch(/Without a chart here: AUD ?, USD/);
    expect(page.html.length).toBeLessThan(100_000);
    expect(chartsOf(await browser.open("/?currency=USD"))).toEqual(codes.slice(1));
    const heads = (markup = "") => [...markup.matchAll(/<span class="currency">([A-Z]{3})</g)].map(([, code]) => code);
    const most = page.html.split("Most overdue customers").slice(1).join();
    expect(heads(most)).toEqual(codes.flatMap((code) => [code, code]));
    const byCurrency = page.html.split("By currency")[1]?.split("</table>")[0];
    expect([...new Set(heads(byCurrency))]).toEqual(codes);
  });

  it("says how fresh it is and what waits for somebody, in the same words to members [pages.look.overview]", async () => {
    const { book, email } = await bookWithDebts();
    const member = await site.app.addPerson(book.tenantId, { role: "member" });
    const [ada, max] = [await site.app.signedIn(email), await site.app.signedIn(member.email)];
    const [admin, reader] = [await ada.open("/"), await max.open("/")];
    const needs = ["1 open task", "1 installment without a billing email"];
    const { totals } = await summarizeAging.call(book.reader, {}, { core: site.app.core, requestId: "r" });
    const owed = totals.map(({ outstanding, currency }) => readableMoney(outstanding, currency)).join(", ");
    for (const page of [admin, reader, await ada.open("/attention"), await max.open("/attention")]) {
      for (const need of needs) expect(page.text).toContain(need);
      expect(page.text).toMatch(
        /Oracle Fusion needs reconnecting .*refuses the password. .*figures are as of 1 Jan 2026/,
      );
      expect(page.text.replaceAll(" ,", ",")).toContain(`: ${owed} outstanding.`);
      const [stale = ""] = /Its figures are as of[\s\S]*?outstanding\./.exec(page.html) ?? [];
      for (const [index, href] of hrefsOf(stale).entries())
        expect(totalOf(await max.open(href))[0], href).toBe(amountsOf(stale)[index]);
      const without = hrefsOf(page.html).find((href) => href.includes("no_billing_email")) ?? "";
      expect((await max.open(without)).text).toContain("1 of 1 installment");
      expect(page.text).toContain("Needs a person");
      expect(page.html.length).toBeLessThan(100_000);
    }
    for (const path of ["/", "/attention"])
      expect((await ada.open(path)).html).toContain('<a class="button plain" href="/erp-connections">Reconnect</a>');
    expect(reader.html).not.toContain('href="/erp-connections"');
    expect(reader.html).not.toContain('method="post"');
    for (const page of [admin, reader]) expect(page.html).toContain('<a href="/sync-runs">Sync history</a>');
    const tasks = hrefsOf(admin.html).find((href) => href.startsWith("/tasks?state=open")) ?? "";
    expect((await (await site.app.signedIn(email)).open(tasks)).text).toContain("1 of 1 task");
  });

  it("has an ERP without an answer for a day, or disconnected, among what needs a person [pages.look.overview]", async () => {
    const { book, email } = await bookWithDebts();
    const browser = await site.app.signedIn(email);
    const { store } = site.app.core;
    const hoursAgo = (hours: number) => new Date(site.clock.now().getTime() - hours * 60 * 60_000).toISOString();
    const says = async (status: "temporarily_unavailable" | "disconnected", hours: number) => {
      const of = { status, last_successful_sync_at: hoursAgo(hours), created_at: hoursAgo(99) };
      await setRows(store, book.tenantId, "erp_connections", of);
      const [overview, needs] = [await browser.open("/"), await browser.open("/attention")];
      return [overview.text.match(/has not answered/g)?.length ?? 0, needs.text];
    };
    expect(await says("temporarily_unavailable", 23)).toEqual([1, expect.not.stringContaining("does not answer")]);
    const away = expect.stringMatching(/Oracle Fusion does not answer.* Its figures are as of .*: .* outstanding\./);
    expect(await says("temporarily_unavailable", 25)).toEqual([0, away]);
    for (const [words, given] of Object.entries({
      "It is tried again by itself.": { sync_enabled: true, auto_sync_enabled: true },
      "Its syncs are started by hand.": { sync_enabled: true, auto_sync_enabled: false },
      "Its sync is switched off.": { sync_enabled: false, auto_sync_enabled: true },
    })) {
      await setRows(store, book.tenantId, "erp_connections", given);
      expect(await says("temporarily_unavailable", 25)).toEqual([0, expect.stringContaining(words)]);
      expect(await says("temporarily_unavailable", 23)).toEqual([1, expect.anything()]);
      expect((await browser.open("/")).text).toContain(words);
    }
    const off = expect.stringMatching(/Oracle Fusion is disconnected.* Its figures are as of .*: .* outstanding\./);
    expect(await says("disconnected", 1)).toEqual([0, off]);
    const { tenantId } = await openBook(store);
    await setRows(store, tenantId, "erp_connections", { status: "disconnected" });
    const { browser: idle } = await site.app.newcomer("admin", tenantId);
    expect((await idle.open("/attention")).text).not.toContain("is disconnected");
  });

  it("says as of when the figures of each currency are [pages.look.overview] [completions.10.as-of-shown]", async () => {
    const { book, email } = await bookWithDebts();
    const well = connectionRow(book.tenantId, {
      status: "connected",
      last_successful_sync_at: site.clock.now().toISOString(),
    });
    await addRows(site.app.core.store, book.tenantId, { erp_connections: well });
    const { text } = await (await site.app.signedIn(email)).open("/");
    expect(text).toMatch(/Figures as of 1 Jan 2026, 00:00 \. Sync history .* Times are in UTC\.$/);
    const customer = customerRow(book.tenantId, well.connection_id);
    await book.insert({ customers: [customer] });
    await book.invoice({ customer, connection_id: well.connection_id, currency: "SEK" }, [{ due_date: "2026-01-15" }]);
    expect((await (await site.app.signedIn(email)).open("/")).text).toMatch(
      /Figures as of 1 Jan 2026, 00:00 \([^)]*USD[^)]*\); [^(;]* \(SEK\)\. Sync history/,
    );
  });

  it("offers admins the first sync until one has succeeded [completions.7.first-sync]", async () => {
    const { id } = await site.app.addWorkspace();
    await operate(site.app.core, id, connectErp, {
      ...{
        provider: "oracle_fusion",
        url: "https://pod.fa.example.com",
        username: "U",
        password: "P",
        autoSync: false,
      },
    });
    const [admin, member] = [await site.app.addPerson(id), await site.app.addPerson(id, { role: "member" })];
    const browser = await site.app.signedIn(admin.email);
    const page = await browser.open("/");
    expect(page.text).toContain("Oracle Fusion is connected, and its first sync has not succeeded yet. Sync now");
    expect((await browser.submit(page, "Sync now")).text).toContain("The sync has started");
    expect((await (await site.app.signedIn(member.email)).open("/")).text).not.toContain("Sync now");
  });

  it("tells strangers where to sign in, how to connect an assistant and where the API is described", async () => {
    const page = await new Browser(site.app.origin).open("/");
    expect(hrefsOf(page.html)).toEqual(expect.arrayContaining(["/mcp", "/docs", "/signin"]));
  });

  it("is a list of what to set up in a new workspace [pages.look.new]", async () => {
    const { id } = await site.app.addWorkspace({ name: "Fresh" });
    const { email } = await site.app.addPerson(id);
    const page = await (await site.app.signedIn(email)).open("/");
    expect(page.text).toContain("Set up Fresh 0 of 5 done");
    for (const path of ["/erp-connections", "/integrations", "/workflows", "/members", "/mcp"])
      expect(page.html).toContain(`<strong><a href="${path}">`);
    expect(amountsOf(page.html)).toEqual([]);
    const member = await site.app.addPerson(id, { role: "member" });
    const max = await site.app.signedIn(member.email);
    expect((await max.open("/")).text).toContain("Fresh is being set up.");
  });

  it("keeps the list of what to set up for admins until each was done once [pages.look.new]", async () => {
    const { book, email } = await bookWithDebts();
    const { core, origin } = site.app;
    const member = await site.app.addPerson(book.tenantId, { role: "member" });
    const [ada, max] = [await site.app.signedIn(email), await site.app.signedIn(member.email)];
    const page = await ada.open("/");
    expect(page.text).toMatch(/Set up Acme Ltd 4 of 5 done .*Connect an assistant/);
    expect(page.text).toContain("Most overdue customers");
    expect((await max.open("/")).text).not.toContain("Set up Acme");
    await signInAndApprove(origin, { email, password: PASSWORD, client: await register(origin) });
    expect((await ada.open("/")).text).not.toContain("Set up Acme");
    const { revoked } = await operate(core, book.tenantId, revokeAssistants, { all: true });
    expect([revoked, (await ada.open("/")).text.includes("Set up Acme")]).toEqual([1, false]);
  });
});
