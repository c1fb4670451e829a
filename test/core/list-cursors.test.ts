import { beforeAll, describe, expect, it } from "vitest";
import { listErpConnections } from "../../src/core/erp-connections/operations/list-erp-connections.ts";
import type { Operation } from "../../src/core/gate/operation.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { listSyncRuns } from "../../src/core/sync-runs/operations/list-sync-runs.ts";
import { listTasks } from "../../src/core/tasks/operations/list-tasks.ts";
import { type Book, connectionRow, openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { pageOf, refusal } from "../support/lists.ts";
import { syncRunRow, taskRow } from "../support/rows.ts";
import { storesOf } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

const REFUSED = {
  error: {
    code: "invalid_cursor",
    message: "This cursor cannot be used for this query. Restart without a cursor and keep the filters identical.",
    request_id: "req_test",
  },
};

const LISTS: readonly Operation[] = [listInvoices, listErpConnections, listSyncRuns, listTasks];

describe.each(storesOf(import.meta.url))("cursors of lists on $name", ({ open }) => {
  const { store } = useStore(open);
  const core = testCore(store);
  let [ours, theirs]: Book[] = [];

  /** Two rows of each kind in each workspace, so that a page of one has a next. */
  async function filled(): Promise<Book> {
    const book = await openBook(store);
    await book.insert({ erp_connections: [connectionRow(book.tenantId)] });
    const made = [await book.invoice({ due_date: "2026-03-01" }), await book.invoice()];
    await store.write(book.tenantId, async (tx) => {
      for (const { invoice } of made) {
        await tx.insertInto("tasks").values(taskRow(book.tenantId, invoice.invoice_id)).execute();
        await tx.insertInto("sync_runs").values(syncRunRow(book.tenantId, book.connectionId)).execute();
      }
    });
    return book;
  }

  const reader = (book: Book | undefined) => {
    if (book === undefined) throw new Error("no book");
    return book.reader;
  };

  async function firstCursor(list: Operation, filters: object = {}): Promise<string> {
    const { pagination } = await pageOf(core, list, reader(ours), { ...filters, limit: 1 });
    return pagination.next_cursor ?? "";
  }

  beforeAll(async () => {
    [ours, theirs] = [await filled(), await filled()];
  });

  it.each(LISTS)(
    "$id goes on with its own cursor, whatever the page size [service.4.1.cursor] [service.8.cursor-length]",
    async (list) => {
      const cursor = await firstCursor(list);
      const { data } = await pageOf(core, list, reader(ours), { cursor, limit: 7, include_total: true });
      expect(data).toHaveLength(1);
      expect(cursor.length).toBeLessThan(200);
    },
  );

  it.each(LISTS)("$id refuses another workspace's cursor [service.4.1.cursor]", async (list) => {
    const cursor = await firstCursor(list);
    expect(await refusal(pageOf(core, list, reader(theirs), { cursor }))).toEqual(REFUSED);
  });

  it.each(LISTS)("$id refuses another operation's cursors [service.4.1.cursor]", async (list) => {
    for (const other of LISTS.filter((one) => one !== list)) {
      const cursor = await firstCursor(other);
      expect(await refusal(pageOf(core, list, reader(ours), { cursor })), other.id).toEqual(REFUSED);
    }
  });

  it.each<[change: object]>([
    [{ order: "asc" }],
    [{ currency: "USD" }],
    [{ connection_id: "6e3a0c1e-0d7c-4f53-9d0b-222222222222" }],
    [{ updated_since: "2026-01-01T00:00:00Z" }],
    [{ has_active_payment_link: false }],
  ])("is refused once the query is changed by %j [service.4.1.cursor]", async (change) => {
    const cursor = await firstCursor(listInvoices);
    expect(await refusal(pageOf(core, listInvoices, reader(ours), { ...change, cursor }))).toEqual(REFUSED);
  });

  it("is refused once a filter is left out [service.4.1.cursor]", async () => {
    const cursor = await firstCursor(listInvoices, { currency: "USD" });
    expect(await refusal(pageOf(core, listInvoices, reader(ours), { cursor }))).toEqual(REFUSED);
  });

  it("is the same for the same filters written otherwise [service.4.1.cursor]", async () => {
    const cursor = await firstCursor(listInvoices, { updated_since: "2026-01-01T02:00:00+02:00", currency: "USD" });
    const again = { currency: "USD", updated_since: "2026-01-01T00:00:00.000Z", cursor };
    expect((await pageOf(core, listInvoices, reader(ours), again)).data).toHaveLength(1);
  });

  it("is refused with any character altered, cut off or added [service.4.1.cursor]", async () => {
    const cursor = await firstCursor(listInvoices);
    const altered = [...cursor].map(
      (char, at) => cursor.slice(0, at) + (char === "A" ? "B" : "A") + cursor.slice(at + 1),
    );
    for (const forged of [...altered, cursor.slice(1), cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, "AAAA", "%"]) {
      expect(await refusal(pageOf(core, listInvoices, reader(ours), { cursor: forged })), forged).toEqual(REFUSED);
    }
  });
});
