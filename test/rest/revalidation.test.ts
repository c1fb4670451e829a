import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { ROUTES } from "../../src/rest/routes.ts";
import { ROLLUP_TABLES } from "../../src/store/aging/rollup.ts";
import {
  type CollectingApp,
  type CollectingBook,
  openCollectingApp,
  openCollectingBook,
} from "../support/collecting.ts";
import { furnishAll } from "../support/furnish.ts";
import { readsOf } from "../support/reads.ts";
import { newKey, openRestApp, send } from "../support/rest-app.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

const TAG = /^W\/"[\w-]{43}"$/;

describe.each(A_STORE)("what a caller has already, on $name", ({ open }) => {
  const opened = useStore(open);
  let app: CollectingApp;
  let book: CollectingBook;
  let ids: Record<string, string>;
  beforeAll(async () => {
    app = await openCollectingApp(opened);
    book = await openCollectingBook(app, "sandbox");
    const { installments } = await book.owing("100.00");
    for (const installment of installments) ids = await furnishAll(opened.store, book, installment);
  });
  afterAll(() => app.close());

  const ask = (path: string, known?: string, more: RequestInit = {}) => {
    const headers = known === undefined ? {} : { "If-None-Match": known };
    return send(`${app.url}${path}`, { key: book.key, headers, ...more });
  };
  const filled = (path: string): string =>
    path.replaceAll(
      /\{(\w+)Id\}/g,
      (_, name: string) => ids[`${name.replaceAll(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)}_id`] ?? "",
    );
  const paths = ROUTES.filter(({ method }) => method === "GET").map(({ path }) => path);
  const kept = paths.filter((path) => path.includes("{") || path.startsWith("/v1/aging/"));

  it.each(kept)("is not sent again: %s [completions.13.etag]", async (path) => {
    const first = await ask(filled(path));
    expect(first.status).toBe(200);
    const etag = first.headers.get("ETag") ?? "";
    expect(etag).toMatch(TAG);
    const again = await ask(filled(path), etag, { headers: { "If-None-Match": etag, "Accept-Encoding": "br" } });
    expect(again).toMatchObject({ status: 304, text: "" });
    for (const [name, value] of Object.entries({
      ...{ ETag: etag, "Cache-Control": "private, no-cache", Vary: "Accept-Encoding" },
      ...{ "Content-Type": null, "Content-Encoding": null, "X-Request-Id": expect.anything() },
      "RateLimit-Remaining": expect.stringMatching(/^\d+$/),
    }))
      expect({ [name]: again.headers.get(name) }).toEqual({ [name]: value });
    expect(first.headers.get("Cache-Control")).toBe("private, no-cache");
    expect((await ask(filled(path), etag, { method: "HEAD" })).status).toBe(304);
  });

  it.each(paths.filter((path) => !kept.includes(path)))(
    "is never kept of a list: %s [completions.13.etag]",
    async (path) => {
      const { status, headers } = await ask(path, "*");
      expect(status).toBe(200);
      expect([headers.get("ETag"), headers.get("Cache-Control")]).toEqual([null, "no-store"]);
    },
  );

  it.each(["/v1/invoices/{invoiceId}", "/v1/aging/summary"])(
    "is compared weakly, tag by tag, at %s [completions.13.etag]",
    async (path) => {
      const etag = (await ask(filled(path))).headers.get("ETag") ?? "";
      const strong = etag.slice(2);
      const bare = strong.slice(1, -1);
      for (const [known, status] of [
        ...[etag, strong, "*", ` ${etag} `, `"a", ${etag}`, `"a,b",W/"c",${strong}, "d"`].map(
          (one) => [one, 304] as const,
        ),
        ...["", bare, `"${bare}x"`, `"x${bare}"`, `W/${bare}`, `*, "a"`, `w"${bare}`].map((one) => [one, 200] as const),
      ])
        expect({ known, status: (await ask(filled(path), known)).status }).toEqual({ known, status });
    },
  );

  it("is no excuse for a request that is refused, nor is a refusal kept [completions.13.etag]", async () => {
    await book.owing("1.00", "2.00");
    const page = z.looseObject({ pagination: z.object({ next_cursor: z.string() }) });
    const { pagination } = page.parse((await ask("/v1/aging/installments?limit=1")).body);
    // The report it goes on with is another one by then.
    await book.owing("3.00");
    const stale = `/v1/aging/installments?limit=1&cursor=${pagination.next_cursor}`;
    const bad = [stale, "/v1/aging/summary?currency=usd", "/v1/aging/customers?due_from=2026-02-01&due_to=2026-01-01"];
    for (const path of [...bad, "/v1/aging/summary?cursor=x", "/v1/invoices/00000000-0000-4000-8000-000000000000"]) {
      const { status, headers } = await ask(path, "*");
      expect(status, path).toBeGreaterThanOrEqual(400);
      expect([headers.get("ETag"), headers.get("Cache-Control")]).toEqual([null, "no-store"]);
    }
    const etag = (await ask("/v1/aging/summary")).headers.get("ETag") ?? "";
    expect((await send(`${app.url}/v1/aging/summary`, { headers: { "If-None-Match": etag } })).status).toBe(401);
  });

  it("is told apart by query, page and workspace [completions.13.etag]", async () => {
    const other = await openCollectingBook(app, "sandbox");
    const queries = ["", "?bucket=current", "?currency=USD", "?limit=1", "?group_by=month", "?group_by=week"];
    const tags = queries.map(async (query) => (await ask(`/v1/aging/summary${query}`)).headers.get("ETag"));
    const theirs = await send(`${app.url}/v1/aging/summary`, { key: other.key });
    const all = [...(await Promise.all(tags)), theirs.headers.get("ETag")];
    expect(new Set(all).size).toBe(queries.length + 1);
    const spelled = await ask("/v1/aging/summary?limit=50&sort=overdue_desc&overdue_only=false");
    expect(spelled.headers.get("ETag")).toBe(all[0]);
  });

  it("costs no report: its version is read, and nothing of what is behind the answer [completions.13.etag-cost]", async () => {
    const key = await newKey(app.core, book.tenantId, "readonly");
    const paths = ["/v1/aging/summary?include=payment_history&due_from=2000-01-01", "/v1/aging/installments?limit=100"];
    const cost = async (path: string, known: string, expected: number): Promise<number> => {
      const { rows } = await readsOf(app.core, async (core) => {
        const rest = await openRestApp(core, { limited: false });
        try {
          const { status } = await send(`${rest.url}${path}`, { key, headers: { "If-None-Match": known } });
          expect(status).toBe(expected);
        } finally {
          await rest.close();
        }
      });
      return rows;
    };
    for (let at = 0; at < 100; at += 1) await book.owing("10.00", "20.00", "30.00");
    const tables = ["invoices", ...ROLLUP_TABLES] as const;
    await opened.store.takeStatistics({ tenantId: book.tenantId, rows: 10_000, tables });
    for (const path of paths) {
      const etag = (await ask(path)).headers.get("ETag") ?? "";
      const [report, kept] = [await cost(path, '"other"', 200), await cost(path, etag, 304)];
      expect(kept * 3, path).toBeLessThan(report);
    }
  });
});
