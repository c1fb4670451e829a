import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { listErp, listErpStates } from "../../src/core/erp-connections/operator-connection.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { lastSyncedAt } from "../../src/core/invoices/last-synced-queries.ts";
import { commitPage } from "../../src/core/sync-runs/commit-page.ts";
import { failRun, succeedRun } from "../../src/core/sync-runs/finish-run.ts";
import { listSyncRuns } from "../../src/core/sync-runs/operations/list-sync-runs.ts";
import { prune } from "../../src/jobs/housekeeping.ts";
import { insertRows, invoiceRow } from "../support/book.ts";
import { TestClock, testCore } from "../support/core.ts";
import { walk } from "../support/lists.ts";
import { connectWorkspace, makeTenant, startLed } from "../support/pulls.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

const DAY = 24 * 60 * 60_000;
const NEVER = new AbortController().signal;
const WRITTEN = "2025-06-01T00:00:00.000Z";

/** The same numbers in the same order at every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield state / 2_147_483_648;
  }
}

/** A run that there was, whether its row is still there or not. */
interface PastRun {
  readonly started_at: string;
  /** The last ERP id that it read; null for none. */
  readonly read_through: string | null;
  readonly pull_from: string | null;
}

describe.each(A_STORE)("the history of a connection's runs on $name", ({ open }) => {
  const { store } = useStore(open);
  const clock = new TestClock("2026-01-01T00:00:00.000Z");
  const core = testCore(store, clock);

  /** Every invoice's last_synced_at by its ERP id, and as it would be if all runs there ever were were looked at. */
  async function figures(tenantId: string, everyRun: readonly PastRun[]) {
    const { rows } = await core.store.read(tenantId, (tx) =>
      sql<{ id: string; day: string; own: string | null; told: string | null }>`
        select invoice.erp_invoice_id as id, invoice.invoice_date as day, invoice.last_synced_at as own,
          ${lastSyncedAt("invoice", tenantId)} as told
        from invoices as invoice where invoice.tenant_id = ${tenantId} order by 1`.execute(tx),
    );
    const expected = ({ id, day, own }: (typeof rows)[number]): string | null => {
      const reading = everyRun.filter(
        (run) => Number(run.read_through ?? -1) >= Number(id) && (run.pull_from === null || run.pull_from <= day),
      );
      const instants = [own, ...reading.map((run) => run.started_at)].filter((instant) => instant !== null);
      return instants.toSorted().at(-1) ?? null;
    };
    return { told: rows.map(({ id, told }) => [id, told]), expected: rows.map((row) => [row.id, expected(row)]) };
  }

  it("tells when each invoice was read last, whatever the runs read, and after old ones are deleted [service.2.3.last-synced] [facts.scale.runs-kept]", async () => {
    const tenantId = await makeTenant(core);
    const connectionId = await connectWorkspace(core, tenantId, "http://127.0.0.1:9");
    const days = ["2025-01-01", "2025-07-01", "2026-01-01"];
    const invoices = Array.from({ length: 30 }, (_, index) =>
      invoiceRow(tenantId, {
        connection_id: connectionId,
        erp_invoice_id: String(100 + index),
        invoice_date: days[index % days.length] ?? null,
        last_synced_at: WRITTEN,
      }),
    );
    await store.write(tenantId, (tx) => insertRows(tx, { invoices }));
    const everyRun: PastRun[] = [];
    const random = numbers(11);
    for (let run = 0; run < 60; run += 1) {
      // Days pass, and now and then the clock was ahead of them.
      clock.advance(Math.round(random.next().value * 6 * DAY) - (run % 9 === 8 ? 2 * DAY : 0));
      // The oldest invoices are read in the first weeks alone: their figures come from runs that are older than 90 days.
      const choices = run < 20 ? [null, ...days] : days.slice(1);
      const pull_from = choices[Math.floor(random.next().value * choices.length)] ?? null;
      await operate(core, tenantId, setErp, { connectionId, pullFrom: pull_from });
      const led = await startLed(core, tenantId, connectionId);
      const through = random.next().value < 0.2 ? null : String(95 + Math.floor(random.next().value * 35));
      const page = { storedThrough: null, count: 0, invoices: [], unreadable: [], contacts: new Map() };
      if (through !== null) await commitPage(core, led.tenant_id, { led, page, range: { after: null, through } });
      const succeeds = random.next().value < 0.2;
      if (succeeds) await succeedRun(core, led.tenant_id, { led, absentIds: [] });
      else
        await failRun(core, led.tenant_id, {
          led,
          failure: { code: "erp_unreachable", reason: { code: "no_answer" } },
        });
      everyRun.push({ started_at: led.started_at, read_through: succeeds ? "Infinity" : through, pull_from });
      if (run % 10 === 9) {
        const { told, expected } = await figures(tenantId, everyRun);
        expect(told).toEqual(expected);
      }
    }
    const before = await figures(tenantId, everyRun);
    const kept = new Date(clock.now().getTime() - 90 * DAY).toISOString();
    expect(before.told.map(([, told]) => told ?? "").filter((told) => told > WRITTEN && told < kept)).not.toEqual([]);
    const connections = await operate(core, tenantId, listErp, {});
    const states = await operate(core, tenantId, listErpStates, {});

    expect(await prune(core, NEVER)).toBeGreaterThan(10);
    expect(await figures(tenantId, everyRun)).toEqual(before);
    expect(await operate(core, tenantId, listErp, {})).toEqual(connections);
    expect(await operate(core, tenantId, listErpStates, {})).toEqual(states);
    expect(await prune(core, NEVER)).toBe(0);
  });

  it("goes back 90 days at least, in pages, and a connection that rests keeps its latest run [facts.scale.runs-kept]", async () => {
    const tenantId = await makeTenant(core);
    const [resting, pulled] = [
      await connectWorkspace(core, tenantId, "http://127.0.0.1:9"),
      await connectWorkspace(core, tenantId, "http://127.0.0.1:10", []),
    ];
    const now = clock.now().toISOString();
    const insert = (connectionId: string, from: number, to: number) =>
      store.write(tenantId, (tx) =>
        sql`insert into sync_runs (tenant_id, sync_run_id, connection_id, trigger, status, started_at, finished_at, covers)
          select ${tenantId}::uuid, gen_random_uuid(), ${connectionId}::uuid, 'scheduled', 'failed', at, at, false
          from generate_series(${from}::int, ${to}::int) as hours,
            lateral (select ${now}::timestamptz - hours * interval '1 hour' as at) as instant on conflict do nothing`.execute(
          tx,
        ),
      );
    await insert(resting, 120 * 24, 121 * 24);
    await insert(pulled, 1, 200 * 24);
    const reader = { kind: "api_key", tenantId, keyId: tenantId, permission: "readonly", lastUsedAt: null } as const;
    const before = await walk(core, listSyncRuns, reader, {}, [100]);

    // More than is deleted at once.
    expect(await prune(core, NEVER)).toBe(24 + 110 * 24);
    const { ids } = await walk(core, listSyncRuns, reader, {}, [100, 7]);
    expect(ids).toHaveLength(90 * 24 + 1);
    expect(ids.slice(0, 90 * 24)).toEqual(before.ids.slice(0, 90 * 24));
    for (const { latestRun } of await operate(core, tenantId, listErpStates, {}))
      expect(ids).toContain(latestRun?.sync_run_id);
  });

  it("is not deleted from any further once the service stops [facts.scale.runs-kept]", async () => {
    expect(await prune(core, AbortSignal.abort())).toBe(0);
  });
});
