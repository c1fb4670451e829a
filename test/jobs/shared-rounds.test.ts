import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { createJobs } from "../../src/jobs/schedule.ts";
import { shareRound } from "../../src/jobs/shared-rounds.ts";
import { statements } from "../../src/signals.ts";
import { ROLLUP_VERSION } from "../../src/store/aging/rollup-version.ts";
import { openPostgres } from "../../src/store/database.ts";
import { TestClock, testCore } from "../support/core.ts";
import { connectWorkspace, makeTenant } from "../support/pulls.ts";
import { addRows } from "../support/stored.ts";
import { createDatabase } from "../support/stores.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

const MINUTE = 60_000;
const NEVER = new AbortController().signal;

describe.each(A_STORE)("rounds of work that one process does for all, on $name", ({ open }) => {
  const opened = useStore(open);
  const clock = new TestClock();
  const [one, other] = [randomUUID(), randomUUID()];

  const round = (
    job: string,
    workerId: string,
    work: (stop: AbortSignal) => Promise<unknown> = async () => undefined,
  ) =>
    shareRound(
      testCore(opened.store, clock),
      { job, everyMs: MINUTE, work },
      { workerId, leaseMs: 20_000, stop: NEVER },
    );

  it("are done once in their time, by whoever comes first [facts.scale.shared-rounds]", async () => {
    const did = await round("a", one, async () => {
      expect(await round("a", other)).toBe(false);
    });
    expect(did).toBe(true);
    expect(await round("a", other)).toBe(false);
    expect(await round("b", other)).toBe(true);
    clock.advance(MINUTE);
    expect(await round("a", other)).toBe(true);
  });

  it("are due again at once where the work failed, or its process died, whose lease has ended [facts.scale.rounds-go-on]", async () => {
    await expect(round("c", one, () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
    expect(await round("c", other)).toBe(true);
    clock.advance(MINUTE);
    await round("c", one, async () => {
      clock.advance(20_000);
      expect(await round("c", other)).toBe(true);
    });
  });

  it("wait for no time that a clock told which was ahead [service.8.wrong-clock]", async () => {
    for (const hours of [1, 960]) {
      const wrong = hours * 60 * MINUTE;
      clock.advance(wrong);
      await round("d", one);
      clock.advance(-wrong);
      expect(await round("d", other)).toBe(true);
    }
    clock.advance(960 * 60 * MINUTE);
    await round("d", one, async () => {
      clock.advance(-960 * 60 * MINUTE);
      expect(await round("d", other)).toBe(true);
    });
  });
});

describe.skipIf(inject("postgresUrl") === null)("a new day for many workspaces", () => {
  const WORKSPACES = 80;

  /** How many statements so many processes make of a day on which every roll-up is behind and every connection due. */
  async function statementsOfDay(processes: number): Promise<number> {
    let made = 0;
    const unfollow = statements.follow({
      store: new AsyncLocalStorage<null>(),
      began: () => null,
      ended: () => {
        made += 1;
      },
    });
    const { databaseUrl, drop } = await createDatabase();
    const clock = new TestClock("2026-03-10T00:00:30.000Z");
    const stores = await Promise.all(Array.from({ length: processes }, () => openPostgres(databaseUrl)));
    const looking = new pg.Client({ connectionString: databaseUrl });
    await looking.connect();
    try {
      const cores = stores.map((store) => testCore(store, clock));
      const [first] = cores;
      if (first === undefined) throw new Error("there is one process at least");
      clock.advance(-24 * 60 * MINUTE);
      for (let workspace = 0; workspace < WORKSPACES; workspace += 1) {
        const tenantId = await makeTenant(first);
        await connectWorkspace(first, tenantId, "http://127.0.0.1:9", [], true);
        await first.store.write(tenantId, (tx) =>
          sql`insert into aging_state (tenant_id, as_of, version) values (${tenantId}, '2026-03-09', ${ROLLUP_VERSION})`.execute(
            tx,
          ),
        );
      }
      clock.advance(24 * 60 * MINUTE);
      await addRows(first.store, null, {
        attempt_windows: { subject: "old", window_start: "2026-01-01T00:00:00.000Z", hits: 1 },
      });
      made = 0;
      const often = { housekeepEveryMs: 1_000, lookEveryMs: 24 * 60 * MINUTE };
      const jobs = cores.map((core) => createJobs(core, { ...often, pullsAtOnce: 0 }));
      await Promise.all(jobs.map((one) => one.start()));
      const left = `select (select count(*) from aging_state where as_of < '2026-03-10')
        + (select count(*) from attempt_windows)
        + ${WORKSPACES} - (select count(*) from sync_runs) as left`;
      await looking.query("set role receivables_system");
      await expect
        .poll(async () => Number((await looking.query<{ left: string }>(left)).rows[0]?.left), { timeout: 60_000 })
        .toBe(0);
      const total = made;
      await Promise.all(jobs.map((one) => one.drain(0)));
      return total;
    } finally {
      unfollow();
      await looking.end();
      await Promise.all(stores.map((store) => store.close()));
      await drop();
    }
  }

  it("costs three processes together hardly more statements than one [facts.scale.shared-rounds]", async () => {
    const [alone, together] = [await statementsOfDay(1), await statementsOfDay(3)];
    expect(together / alone, `${together} statements of three, ${alone} of one`).toBeLessThanOrEqual(1.5);
  });
});
