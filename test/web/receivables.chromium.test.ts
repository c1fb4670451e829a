import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { addDays } from "../../src/core/kernel/calendar.ts";
import type { SyncRunRow } from "../../src/store/tables/erp.ts";
import { openBook } from "../support/book.ts";
import { HAS_CHROMIUM } from "../support/chromium.ts";
import { furnishCollecting } from "../support/furnish.ts";
import { walkByKeyboard } from "../support/looks.ts";
import { peopleOf } from "../support/people.ts";
import { syncRunRow, taskRow } from "../support/rows.ts";
import { signedInPage } from "../support/signed-in-page.ts";
import { addRows, setRows } from "../support/stored.ts";
import { press, type Sight, seeEach, unfold, useBrowser } from "./sights.ts";

/** Every page about receivables in its states: many, one, none, refused and forbidden. */
describe.skipIf(!HAS_CHROMIUM)("the receivables, for everybody", () => {
  const seen = useBrowser();
  let people: Record<"admin" | "member" | "newcomer" | "several", Page>;
  let ids: Record<"invoice" | "customer" | "tenant" | "running" | "failed", string>;

  beforeAll(async () => {
    const { service, browser } = seen();
    const everybody = peopleOf(service.core);
    const { id: fresh } = await everybody.addWorkspace({ name: "Fresh Start GmbH" });
    ids = await fill();
    const [admin, member, newcomer, several] = [
      await everybody.addPerson(ids.tenant),
      await everybody.addPerson(ids.tenant, { role: "member" }),
      await everybody.addPerson(fresh),
      await everybody.addPerson(fresh, { role: "member" }),
    ];
    await everybody.addPerson(ids.tenant, { email: several.email });
    const signedIn = ({ email }: { email: string }) => signedInPage(browser, service.url, email);
    people = {
      admin: await signedIn(admin),
      member: await signedIn(member),
      newcomer: await signedIn(newcomer),
      several: await signedIn(several),
    };
  });

  /** More rows than a page holds, names that are long or unbroken, and something that waits for somebody. */
  async function fill(): Promise<typeof ids> {
    const { store } = seen().service.core;
    const book = await openBook(store, { name: "Northwind Trading and Sons International Holdings" });
    const today = new Date().toISOString().slice(0, 10);
    const names = [
      "Globex",
      "A rather long name of a customer that takes two lines of any table",
      "x".repeat(200),
      "شركة النور",
    ];
    const customers = [];
    for (const name of names) customers.push(await book.customer({ name, number: name.slice(0, 40) }));
    const made = [];
    for (let count = 0; count < 60; count += 1) {
      const customer = customers[count % names.length];
      const currency = ["USD", "EUR", "JPY", "KWD", "CHF"][count % 5] ?? "USD";
      const facts = {
        currency,
        invoice_number: count === 1 ? "N".repeat(100) : `INV-${count}`,
        total_amount: "1234567890.12",
      };
      const debts = [{ due_date: addDays(today, count * 3 - 120), original_amount: "1234567890.12" }];
      made.push(await book.invoice({ ...facts, ...(customer === undefined ? {} : { customer }) }, debts));
    }
    const customer = await book.customer({ name: "Amounts of six digits", number: "4711" });
    for (const days of [-120, -75, -45, -10, 10])
      await book.invoice({ customer }, [{ due_date: addDays(today, days), original_amount: "884716.38" }]);
    const unmailed = { collectible: false, not_collectible_reason: "no_billing_email" } as const;
    await book.invoice({ collection_status: "inactive" }, [{ due_date: today, ...unmailed }]);
    const [first] = made;
    const [installment] = first?.installments ?? [];
    if (first === undefined || installment === undefined) throw new Error("the book is empty");
    await furnishCollecting(store, installment);
    const state = { status: "requires_reauthentication", last_successful_sync_at: "2026-01-01T00:00:00.000Z" } as const;
    const failure = { error_code: "interrupted", error_reason: { code: "stopped" } } as const;
    // A worker has claimed it for as long as the test takes.
    const claim = { claim_id: randomUUID(), lease_expires_at: new Date(Date.now() + 900_000).toISOString() };
    const underWay = { status: "running", finished_at: null, invoices_read: 60, ...claim } as const;
    const runs = [
      syncRunRow(book.tenantId, book.connectionId, underWay),
      syncRunRow(book.tenantId, book.connectionId, { status: "failed", ...failure }),
    ];
    const tasks = taskRow(book.tenantId, first.invoice.invoice_id);
    await addRows(store, book.tenantId, { sync_runs: runs, tasks });
    await setRows(store, book.tenantId, "erp_connections", state);
    const shown = customers[0]?.customer_id ?? "";
    const [running = "", failed = ""] = runs.map((run) => run.sync_run_id);
    return { invoice: first.invoice.invoice_id, customer: shown, tenant: book.tenantId, running, failed };
  }

  const SIGHTS: readonly Sight<keyof typeof people>[] = [
    ["admin", "overview", () => "/"],
    ["admin", "overview-currency", () => "/?currency=JPY"],
    ["member", "overview-member", () => "/"],
    ["newcomer", "overview-new", () => "/"],
    ["several", "overview-several", () => "/", unfold],
    ["several", "overview-new-member", () => "/?workspace="],
    ["admin", "settings", () => "/settings"],
    ["admin", "search", () => "/search?q=INV"],
    ["several", "search-several", () => "/search?q=a"],
    ["newcomer", "search-none", () => `/search?q=${"x".repeat(100)}`],
    ["admin", "invoices", () => "/invoices", unfold],
    ["admin", "invoices-one", () => `/invoices?search=INV-59&customer_id=${ids.customer}`],
    ["admin", "invoices-none", () => "/invoices?search=nobody"],
    ["admin", "invoices-refused", () => "/invoices?currency=dollars&due_before=soon&what=1"],
    ["admin", "invoices-lost", () => "/invoices?cursor=bogus"],
    ["newcomer", "invoices-empty", () => "/invoices"],
    ["admin", "invoice", () => `/invoices/${ids.invoice}`],
    ["admin", "invoice-missing", () => `/invoices/${ids.tenant}`],
    ["newcomer", "invoice-foreign", () => `/invoices/${ids.invoice}`],
    ["admin", "installments", () => "/installments?bucket=over_90&overdue_only=true", unfold],
    ["admin", "payment-links", () => "/payment-links", unfold],
    ["admin", "tasks", () => "/tasks"],
    ["newcomer", "tasks-empty", () => "/tasks"],
    ["admin", "customers", () => "/customers", unfold],
    ["newcomer", "customers-empty", () => "/customers"],
    ["admin", "customer", () => `/customers/${ids.customer}`],
    [
      "admin",
      "customer-refused",
      () => `/customers/${ids.customer}`,
      async (page) => {
        await page.evaluate(`document.querySelector("#billing-email").type = "text"`);
        await page.getByLabel("billing email").fill("nobody");
        await press("Save billing email", "alert")(page);
      },
    ],
    ["admin", "statement", () => `/customers/${ids.customer}/statement`],
    ["admin", "payments", () => "/payments", unfold],
    ["newcomer", "payments-empty", () => "/payments"],
    ["admin", "workflows", () => "/workflows"],
    ["member", "workflows-member", () => "/workflows"],
    ["admin", "workflow-preview", () => "/workflows/auto_generate/preview?message=0", unfold],
    ["admin", "workflow-refused", () => "/workflows/auto_generate/preview?given=yes&days_before_due=x"],
    ["admin", "arrangement", () => "/workflows/payment_arrangement/preview?given=yes&search=o&minimum_amount=x"],
    ["member", "workflow-forbidden", () => "/workflows/auto_generate/preview"],
    ["admin", "workflow-disable", () => "/workflows/auto_generate/disable"],
    ["newcomer", "workflow-history-empty", () => "/workflow-history"],
    ["admin", "syncs", () => "/sync-runs", unfold],
    ["newcomer", "syncs-empty", () => "/sync-runs"],
    ["admin", "sync-under-way", () => `/sync-runs/${ids.running}`],
    ["member", "sync-failed", () => `/sync-runs/${ids.failed}`],
    ["newcomer", "sync-foreign", () => `/sync-runs/${ids.failed}`],
    ["admin", "audit-filtered", () => "/audit?from=2026-01-01&through=person", unfold],
    ["member", "audit-forbidden", () => "/audit"],
  ];

  seeEach(seen, () => people, SIGHTS);

  it("shows a sync's progress as it goes on, and then how it ended, without a click [pages.run.live]", async () => {
    const page = people.member;
    await page.goto(`${seen().service.url}/sync-runs/${ids.running}`);
    const set = (row: Partial<Selectable<SyncRunRow>>) =>
      setRows(seen().service.core.store, ids.tenant, "sync_runs", row, { sync_run_id: ids.running });
    await set({ invoices_read: 61 });
    await page.getByText("61 invoices read so far").waitFor();
    await set({ status: "succeeded", finished_at: "2026-03-01T09:00:09.000Z" });
    await page.getByText("61 invoices read in 9 seconds; nothing had changed.").waitFor();
    expect(await page.getByRole("link", { name: "See how far it is now" }).count()).toBe(0);
  });

  it("prints a statement as tables, without the page around it and what is internal [pages.look.statement] [pages.look.sheets]", async () => {
    const page = people.admin;
    await page.setViewportSize({ width: 700, height: 900 });
    await page.goto(`${seen().service.url}/customers/${ids.customer}/statement`);
    await page.emulateMedia({ media: "print" });
    const isShown = (selector: string) => page.locator(selector).first().isVisible();
    for (const selector of [".top", ".crumbs", ".title .button", ".on-screen"])
      expect(await isShown(selector), selector).toBe(false);
    const styleOf = (selector: string, name: string, pseudo = "") =>
      page.evaluate(`getComputedStyle(document.querySelector("${selector}"), "${pseudo}").${name}`);
    // What Chromium repeats on each sheet.
    for (const selector of ["thead", ".each-sheet"])
      expect(await styleOf(selector, "display"), selector).toBe("table-header-group");
    expect([await styleOf("main", "display"), await styleOf(".each-sheet", "breakInside")]).toEqual(["table", "avoid"]);
    expect(await styleOf(".pay", "content", "::after")).toMatch(/https?:/);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(700);
    const wrap = await page.evaluate(`getComputedStyle(document.querySelector(".aged .amount")).whiteSpace`);
    expect(wrap).toBe("nowrap");
    expect(await page.getByText("Collectible").count()).toBe(0);
    const part = `<span class='quiet'>2 of 4</span>`;
    await page.evaluate(`document.querySelector(".rows tbody th").insertAdjacentHTML("beforeend", "${part}")`);
    const sizeOf = async (selector: string) => Number.parseFloat(String(await styleOf(selector, "fontSize")));
    expect(await sizeOf(".rows tbody .quiet")).toBeLessThan(await sizeOf(".rows tbody th"));
    await page.emulateMedia({ media: "screen" });
    expect(await styleOf(".each-sheet", "display")).toBe("none");
  });

  it.each(["/", "/invoices", "/audit", "/search?q=INV"])(
    "can be walked with the keyboard: %s [facts.pages.keyboard]",
    async (path) => {
      await people.admin.goto(`${seen().service.url}${path}`);
      expect(await walkByKeyboard(people.admin)).toEqual([]);
    },
  );

  it("leads to the search by its key, but for who types [pages.look.search-key]", async () => {
    const page = people.admin;
    await page.goto(`${seen().service.url}/invoices`);
    await page.keyboard.press("/");
    await page.keyboard.type("no/body");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Search for “no/body”" }).waitFor();
  });

  it("takes somebody from a bar of the chart to its rows with the keyboard alone [pages.look.overview]", async () => {
    const page = people.admin;
    await page.goto(`${seen().service.url}/`);
    await page.locator(".aging svg a").first().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Installments" }).waitFor();
    expect(new URL(page.url()).search).toContain("bucket=current");
  });
});
