import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { summarizeAging } from "../../src/core/aging/operations/summarize-aging.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createFusionSimulator } from "../../src/simulators/fusion/index.ts";
import { Browser } from "../support/browser.ts";
import { readCsv } from "../support/csv.ts";
import { HOSTILE_BOOK, ORDER, UNSAFE } from "../support/hostile-book.ts";
import { PASSWORD, peopleOf } from "../support/people.ts";
import { amountsIn, askedOfApi, figures, readOnPages, SHOWN_LISTS } from "../support/receivables-pages.ts";
import { type RunningService, startService } from "../support/service.ts";
import { A_KIND } from "../support/stores.ts";
import { firstSync } from "../support/sync.ts";
import { times } from "../support/thorough.ts";

/** Line breaks and tabs are the markup's own. */
const unsafeIn = (text: string): boolean => UNSAFE.test(text.replaceAll(/[\n\r\t]/g, "").replace(/^\uFEFF/, ""));

describe("the pages of a book full of orders, markup and characters nobody sees", () => {
  const erp = createFusionSimulator(HOSTILE_BOOK);
  let service: RunningService;
  let tenantId: string;
  let browser: Browser;

  beforeAll(async () => {
    service = await startService(A_KIND);
    await erp.listen();
    const { core } = service;
    const people = peopleOf(core);
    tenantId = (await people.addWorkspace()).id;
    const { email } = await people.addPerson(tenantId);
    const access = { provider: "oracle_fusion", url: erp.url, username: "U", password: "P" } as const;
    const { id } = await operate(core, tenantId, connectErp, access);
    await firstSync(core, tenantId, id);
    browser = new Browser(service.url);
    await browser.submit(await browser.open("/signin"), "Sign in", { email, password: PASSWORD });
  });
  afterAll(async () => {
    await service?.close();
    await erp.close();
  });

  it("show the API's figures and only text, in files too [pages.look.figures]", async () => {
    const actor = { kind: "api_key", tenantId, keyId: tenantId, permission: "readonly" } as const;
    let isHostile = false;
    for (const list of SHOWN_LISTS) {
      const api = await askedOfApi(service.core, actor, list, {});
      const { first, rows } = await readOnPages(browser, list, {});
      expect(rows, list.path).toEqual(api.rows.map((row) => figures(list.ofRow, row)));
      const file = await browser.open(`${list.path}.csv`);
      expect(readCsv(file.html).rows, list.path).toHaveLength(api.rows.length);
      for (const text of [first.html, file.html]) expect(unsafeIn(text), list.path).toBe(false);
      expect(first.html, list.path).not.toMatch(/<script|<img|onerror=alert\(1\)>/);
      isHostile ||= first.text.includes(ORDER);
    }
    expect(isHostile).toBe(true);
  });

  it("show in the overview what the API says of each currency [pages.look.figures] [pages.look.overview]", async () => {
    const actor = { kind: "api_key", tenantId, keyId: tenantId, permission: "readonly" } as const;
    const { totals } = await summarizeAging.call(actor, {}, { core: service.core, requestId: "r" });
    expect(totals.length).toBeGreaterThan(0);
    for (const total of totals) {
      const { html } = await browser.open(`/?${new URLSearchParams({ currency: total.currency })}`);
      const { outstanding, overdue, current, days_1_30, days_31_60, days_61_90, over_90 } = total;
      expect(amountsIn(html.split('<dl class="key money">')[1] ?? "").slice(0, 2)).toEqual([outstanding, overdue]);
      // The chart of the currency that is looked at is the first.
      const buckets = amountsIn(html.split('<table class="figures">')[1] ?? "").slice(0, 5);
      expect(buckets).toEqual([current, days_1_30, days_31_60, days_61_90, over_90]);
    }
  });

  it("show one invoice, one customer and their statement as text [pages.look.figures]", async () => {
    const links = (html: string) =>
      [...html.matchAll(/href="(\/(?:invoices|customers)\/[^"?]+)/g)].map(([, path = ""]) => path);
    const lists = [await browser.open("/invoices"), await browser.open("/customers"), await browser.open("/")];
    const paths = new Set(lists.flatMap(({ html }) => links(html)));
    expect(paths.size).toBeGreaterThan(4);
    // Each kind of text is in many invoices: a part of them shows it.
    const looked = [...paths].filter((_, index) => index % times(4, 1) === 0);
    for (const path of looked)
      for (const address of path.startsWith("/customers") ? [path, `${path}/statement`] : [path]) {
        const page = await browser.open(address);
        expect(page.status, address).toBe(200);
        expect(unsafeIn(page.html), address).toBe(false);
        expect(page.html, address).not.toMatch(/<script|<img/);
        expect(page.html.length, address).toBeLessThan(100_000);
      }
  });
});
