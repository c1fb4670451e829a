import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { rollupDays } from "../../../src/core/aging/rollup-queries.ts";
import { setErp } from "../../../src/core/erp-connections/operations/set-erp.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { matchingInvoices } from "../../../src/core/invoices/list-queries.ts";
import { dueConnections, unledRuns } from "../../../src/core/sync-runs/claim-queries.ts";
import type { LedRun } from "../../../src/core/sync-runs/claim-runs.ts";
import { commitPage } from "../../../src/core/sync-runs/commit-page.ts";
import { abandonedRuns } from "../../../src/core/sync-runs/finish-queries.ts";
import { failRun, succeedRun } from "../../../src/core/sync-runs/finish-run.ts";
import { findSyncRun, latestRunOf, matchingSyncRuns } from "../../../src/core/sync-runs/queries.ts";
import { readBacklog } from "../../../src/store/backlog.ts";
import { rowsAfter } from "../../../src/store/keyset.ts";
import { ONE_SERVER } from "../../../src/store/shards.ts";
import type { Transaction } from "../../../src/store/tables/index.ts";
import { insertRows, invoiceRow } from "../../support/book.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { connectWorkspace, makeTenant, startLed } from "../../support/pulls.ts";
import { blocksOf } from "../../support/reads.ts";
import { everyRow, storesOf } from "../../support/stores.ts";
import { useStore } from "../../support/use-store.ts";

const MINUTE = 60_000;
const WINDOW = "2026-01-01";
const NOWHERE = "http://127.0.0.1:9";

const NO_SHARES = { most: 2, hosts: [], tenants: [], unreachable: 0 };

interface Workspace {
  tenantId: string;
  connectionId: string;
  latest: string;
}

describe.each(storesOf(import.meta.url))("a connection after a year of runs on $name", ({ name, open }) => {
  const past = name === "PostgreSQL" ? 50_000 : 5_000;
  const { store } = useStore(open, { isNew: true });
  const clock = new TestClock();
  const core = testCore(store, clock);
  let fresh: Workspace;
  let old: Workspace;
  /** What the jobs' looks at all workspaces cost before there was a past. */
  let looksBefore: Map<string, number>;

  beforeAll(async () => {
    fresh = await makeWorkspace(0);
    looksBefore = await looks();
    old = await makeWorkspace(past);
  });

  /**
   * A hundred invoices that a run read; runs every ten minutes from then on, for which thirty of them are too old; and then
   * what can befall a run.
   */
  async function makeWorkspace(pastRuns: number): Promise<Workspace> {
    const tenantId = await makeTenant(core);
    const connectionId = await connectWorkspace(core, tenantId, NOWHERE);
    const invoices = Array.from({ length: 100 }, (_, index) =>
      invoiceRow(tenantId, {
        connection_id: connectionId,
        erp_invoice_id: String(1_000 + index),
        invoice_date: index < 30 ? "2025-01-01" : "2026-02-01",
        last_synced_at: "2025-01-02T00:00:00.000Z",
      }),
    );
    await store.write(tenantId, (tx) => insertRows(tx, { invoices }));
    const lead = async (end: (led: LedRun) => Promise<void>) => {
      clock.advance(MINUTE);
      await end(await startLed(core, tenantId, connectionId));
    };
    await lead((led) => succeedRun(core, led.tenant_id, { led, absentIds: [] }));
    await operate(core, tenantId, setErp, { connectionId, pullFrom: WINDOW });
    clock.advance(pastRuns * 10 * MINUTE);
    await store.write(tenantId, (tx) =>
      sql`insert into sync_runs (tenant_id, sync_run_id, connection_id, trigger, status, started_at, finished_at, pull_from, read_through, covers)
        select ${tenantId}::uuid, gen_random_uuid(), ${connectionId}::uuid, 'scheduled', 'succeeded', at, at, ${WINDOW}::date, 'Infinity', number = 0
        from generate_series(0, ${pastRuns}::int - 1) as number,
          lateral (select ${clock.now().toISOString()}::timestamptz - number * interval '10 minutes' as at) as instant on conflict do nothing`.execute(
        tx,
      ),
    );
    await lead((led) => succeedRun(core, led.tenant_id, { led, absentIds: [] }));
    for (let failures = 0; failures < 3; failures += 1)
      await lead(async (led) => {
        await readTo(led, "1050");
        await failRun(core, led.tenant_id, {
          led,
          failure: { code: "erp_unreachable", reason: { code: "no_answer" } },
        });
      });
    const { rows } = await core.store.read(tenantId, (tx) =>
      sql<{
        sync_run_id: string;
      }>`select sync_run_id from sync_runs where tenant_id = ${tenantId} order by started_at desc`.execute(tx),
    );
    return { tenantId, connectionId, latest: rows[0]?.sync_run_id ?? "" };
  }

  const readTo = (led: LedRun, through: string) =>
    commitPage(core, led.tenant_id, {
      led,
      page: { storedThrough: null, count: 0, invoices: [], unreadable: [], contacts: new Map() },
      range: { after: null, through },
    });

  const reading = ({ tenantId }: Workspace, work: (tx: Transaction) => Promise<unknown>) =>
    blocksOf(core, (on) => on.store.read(tenantId, work));
  const page = { order: "desc", limit: 101, position: null } as const;
  const runs = (tx: Transaction, { tenantId }: Workspace, filters: Parameters<typeof matchingSyncRuns>[2]) =>
    rowsAfter(matchingSyncRuns(tx, tenantId, filters), { createdAt: "started_at", id: "sync_run_id" }, page).execute();

  const reads: Record<string, (of: Workspace) => Promise<number>> = {
    "a page of invoices": (of) =>
      reading(of, (tx) =>
        rowsAfter(
          matchingInvoices(tx, { tenantId: of.tenantId, today: "2026-03-15" }, {}),
          { createdAt: "invoices.created_at", id: "invoices.invoice_id" },
          page,
        ).execute(),
      ),
    "a run": (of) => reading(of, (tx) => findSyncRun(tx, of.tenantId, of.latest)),
    "a connection's latest run": (of) => reading(of, (tx) => latestRunOf(tx, of.tenantId, of.connectionId)),
    "failed runs": (of) => reading(of, (tx) => runs(tx, of, { status: "failed" })),
    "a connection's failed runs": (of) =>
      reading(of, (tx) => runs(tx, of, { status: "failed", connection_id: of.connectionId })),
    "running runs": (of) => reading(of, (tx) => runs(tx, of, { status: "running" })),
  };

  /** Of the jobs and metrics, which look at all workspaces. */
  async function looks(): Promise<Map<string, number>> {
    const now = clock.now().toISOString();
    const search = { limit: 4, farthest: now, shares: NO_SHARES };
    const each: Record<string, (tx: Transaction) => Promise<unknown>> = {
      "connections that are due": (tx) => dueConnections(tx, ONE_SERVER, { now, farthest: now }),
      "runs that nobody leads": (tx) => unledRuns(tx, ONE_SERVER, search),
      "runs whose worker is gone": (tx) => abandonedRuns(tx, ONE_SERVER, { now, farthest: now }),
      "days of roll-ups": (tx) => rollupDays(tx, ONE_SERVER),
      "the backlog": (tx) => readBacklog(tx, ONE_SERVER, now),
    };
    const costs = new Map<string, number>();
    for (const [what, look] of Object.entries(each)) {
      const cost = () => blocksOf(core, (on) => everyRow(on.store, look));
      await cost();
      costs.set(what, await cost());
    }
    return costs;
  }

  for (const state of ["before statistics are taken", "after"])
    it(`costs the same to read as a new one, ${state} [facts.scale.past-runs]`, async () => {
      if (state === "after")
        await everyRow(store, async (tx) => {
          await sql`set local role none`.execute(tx);
          await sql`analyze`.execute(tx);
        });
      for (const [what, cost] of Object.entries(reads)) {
        await cost(old);
        const [few, many] = [await cost(fresh), await cost(old)];
        expect(many, `buffers of ${what}, ${few} of a new connection`).toBeLessThanOrEqual(2 * few + 10);
      }
      for (const [what, many] of await looks()) {
        const few = looksBefore.get(what) ?? 0;
        expect(many, `buffers of a look for ${what}, ${few} before`).toBeLessThanOrEqual(2 * few + 20);
      }
    });
});
