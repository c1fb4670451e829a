import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { getSyncRun, listSyncRuns } from "../../../src/core/sync-runs/operations/list-sync-runs.ts";
import { connectionRow } from "../../support/book.ts";
import { call, refusal, walk } from "../../support/lists.ts";
import { syncRunRow } from "../../support/rows.ts";
import { addRows } from "../../support/stored.ts";
import { storesOf } from "../../support/stores.ts";
import { useBook } from "../../support/use-store.ts";

const OTHER = "6e3a0c1e-0d7c-4f53-9d0b-222222222222";
const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const at = (digit: number): string => `2026-03-0${digit}T09:00:00.000Z`;

describe.each(storesOf(import.meta.url))("sync runs on $name", ({ open }) => {
  const { book, core, store } = useBook(open);

  beforeAll(async () => {
    const { tenantId, connectionId } = book;
    await book.insert({ erp_connections: [connectionRow(tenantId, { connection_id: OTHER, name: "Group ledger" })] });
    const rows = [
      syncRunRow(tenantId, connectionId, {
        sync_run_id: id(1),
        started_at: at(1),
        finished_at: at(2),
        trigger: "scheduled",
        read_through: "Infinity",
        invoices_read: 4,
        invoices_created: 3,
        invoices_updated: 1,
        invoices_retired: 2,
        invoices_set_aside: 0,
      }),
      syncRunRow(tenantId, OTHER, {
        sync_run_id: id(2),
        started_at: at(2),
        finished_at: at(2),
        status: "failed",
        error_code: "authentication_failed",
        error_reason: { code: "wrong_password" },
      }),
      syncRunRow(tenantId, OTHER, { sync_run_id: id(3), started_at: at(3), finished_at: null, status: "running" }),
    ];
    await addRows(store, tenantId, { sync_runs: rows });
  });

  const finished = () => ({
    id: id(1),
    connection_id: book.connectionId,
    connection_name: expect.stringMatching(/^Oracle Fusion( 2)?$/),
    trigger: "scheduled",
    status: "succeeded",
    started_at: "2026-03-01T09:00:00.000Z",
    finished_at: "2026-03-02T09:00:00.000Z",
    invoices_read: 4,
    invoices_created: 3,
    invoices_updated: 1,
    invoices_retired: 2,
    invoices_set_aside: 0,
    error: null,
  });
  const failed = {
    id: id(2),
    connection_id: OTHER,
    connection_name: "Group ledger",
    trigger: "manual",
    status: "failed",
    started_at: "2026-03-02T09:00:00.000Z",
    finished_at: "2026-03-02T09:00:00.000Z",
    invoices_read: 0,
    invoices_created: 0,
    invoices_updated: 0,
    invoices_retired: 0,
    invoices_set_aside: 0,
    error: { code: "authentication_failed", message: "The ERP refused the user name or password." },
  };

  it("are listed with their fields, the latest start first [completions.4.sync-run] [completions.5.sync-runs]", async () => {
    const { data, pagination } = await call(core, listSyncRuns, book.reader, { include_total: true });
    expect(data).toEqual([
      { ...failed, id: id(3), status: "running", started_at: at(3), finished_at: null, error: null },
      failed,
      finished(),
    ]);
    expect(pagination).toEqual({
      next_cursor: null,
      has_more: false,
      limit: 25,
      total_count: 3,
      as_of: expect.any(String),
    });
  });

  it.each<[filter: object, numbers: number[]]>([
    [{ connection_id: OTHER }, [3, 2]],
    [{ status: "running" }, [3]],
    [{ status: "succeeded" }, [1]],
    [{ status: "failed" }, [2]],
    [{ connection_id: OTHER, status: "succeeded" }, []],
    [{ order: "asc" }, [1, 2, 3]],
  ])("are filtered by %j [completions.5.sync-runs]", async (filter, numbers) => {
    expect((await walk(core, listSyncRuns, book.reader, filter, [1])).ids).toEqual(numbers.map(id));
  });

  it("are read one by one [completions.4.sync-run]", async () => {
    expect(await call(core, getSyncRun, book.reader, { sync_run_id: id(1) })).toEqual(finished());
    expect(await call(core, getSyncRun, book.reader, { sync_run_id: id(2) })).toEqual(failed);
    expect(await refusal(call(core, getSyncRun, book.reader, { sync_run_id: randomUUID() }))).toEqual({
      error: { code: "not_found", message: "No such sync run.", request_id: "req_test" },
    });
  });
});
