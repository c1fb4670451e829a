import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROUTES } from "../../src/rest/routes.ts";
import { type Book, openBook } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { openAt } from "../support/location.ts";
import { newKey, openRestApp, type RestApp, send } from "../support/rest-app.ts";
import { everyRow, STORES, type TestStore } from "../support/stores.ts";

const READS = ROUTES.filter(({ method, path }) => method === "GET" && !path.includes("{")).map(({ path }) => path);

/** The embedded store belongs to one process. */
const SHARED = STORES.filter(({ name }) => name !== "the embedded store");

describe.each(SHARED)("a process beside those of the next version, on $name", ({ open }) => {
  let opened: TestStore;
  let book: Book;
  let app: RestApp;
  let key: string;
  beforeAll(async () => {
    opened = await open({ isNew: true });
    book = await openBook(opened.store, { timezone: "UTC" });
    const core = testCore(opened.store, new TestClock("2026-03-10T12:00:00.000Z"));
    await book.invoice({ customer: await book.customer() }, [{ due_date: "2026-03-01" }]);
    app = await openRestApp(core, { limited: false });
    key = await newKey(core, book.tenantId);
  });
  afterAll(async () => {
    await app?.close();
    await opened?.remove();
  });

  const answers = () =>
    Promise.all(
      READS.map(async (path) => {
        const { status, body } = await send(`${app.url}${path}`, { key });
        expect(status, path).toBe(200);
        return { path, body };
      }),
    );

  it("goes on with tables to which that version has added, until it is stopped [contract.operation.side-by-side]", async () => {
    // Twice: what is asked again may be prepared.
    await answers();
    const before = await answers();
    await everyRow(opened.store, async (tx) => {
      await sql`set local role none`.execute(tx);
      const { rows } = await sql<{ name: string }>`select relname as name from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%'`.execute(tx);
      for (const { name } of rows) {
        await sql.raw(`alter table ${name} add column of_next text, add column by_next int default 0`).execute(tx);
      }
      await sql`insert into kysely_migration (name, timestamp) values ('002-next', '2030-01-01')`.execute(tx);
      await sql`update aging_state set version = version + 1`.execute(tx);
    });
    expect(await answers()).toEqual(before);
    expect(await answers()).toEqual(before);

    await book.invoice({ customer: await book.customer() }, [{ due_date: "2026-03-01" }]);
    const { body } = await send(`${app.url}/v1/aging/summary`, { key });
    expect(body).toMatchObject({ totals: [{ outstanding: "200.00" }] });
    await expect(openAt(opened.location)).rejects.toThrow("written by a newer version of the service (002-next)");
  });
});
