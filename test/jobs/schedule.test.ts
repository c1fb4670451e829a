import { afterEach, describe, expect, it, vi } from "vitest";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { reconnectErp } from "../../src/core/erp-connections/operations/reconnect-erp.ts";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { claimRuns, renewLease } from "../../src/core/sync-runs/claim-runs.ts";
import { interruptLostRuns, interruptRunOf } from "../../src/core/sync-runs/finish-run.ts";
import { reserveDueRuns } from "../../src/core/sync-runs/reserve-due-runs.ts";
import { createJobs, type JobOptions, type Jobs } from "../../src/jobs/schedule.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { quickConnect, startLed, usePullWorld } from "../support/pulls.ts";
import { rowsOf, setRows } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";
import { startSync } from "../support/sync.ts";
import { waitForRun } from "../support/wait-for-run.ts";

const dataset = generateBook({ seed: 3, today: "2026-03-10", invoices: 40 });
const MINUTE = 60_000;

describe.each(STORES)("the schedule on $name", ({ open }) => {
  const world = usePullWorld(open, dataset);
  const { core, clock, erp, pull, act } = world;
  const running: Jobs[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((jobs) => jobs.drain(0)));
    // No connection of an earlier test is due in a later one.
    await setRows(core.store, null, "erp_connections", { auto_sync_enabled: false });
  });

  const runs = () => {
    const { tenantId } = world;
    return rowsOf(core.store, tenantId, "sync_runs", {}, "started_at");
  };
  const started = async (options: JobOptions = {}): Promise<Jobs> => {
    const jobs = createJobs(core, {
      connect: quickConnect,
      scheduleEveryMs: 20,
      lookEveryMs: 20,
      leaseMs: 2_000,
      ...options,
    });
    running.push(jobs);
    await jobs.start();
    return jobs;
  };

  it("pulls a connection when its interval has passed since its last pull, and no sooner [service.2.2.interval]", async () => {
    await pull();
    clock.advance(60 * MINUTE - 1);
    expect(await reserveDueRuns(core)).toBe(0);
    clock.advance(1);
    expect(await reserveDueRuns(core)).toBe(1);
    expect(await reserveDueRuns(core)).toBe(0);
    expect(await runs()).toMatchObject([
      { trigger: "manual" },
      { trigger: "scheduled", status: "running", claim_id: null },
    ]);
  });

  it("pulls a new connection at once, unless by hand only or known not to work [completions.7.first-sync]", async () => {
    await reserveDueRuns(core);
    await started({ scheduleEveryMs: 60 * MINUTE });
    const given = { provider: "oracle_fusion", url: erp.url, username: "U", password: "P", sameErp: true } as const;
    const connect = (more: object) => act(connectErp, { ...given, ...more });
    await connect({ autoSync: false });
    await connect({ sync: false });
    await connect({ url: "http://127.0.0.1:9", check: "keep" });
    const { id } = await connect({});
    const ended = async () => (await runs()).filter(({ status }) => status === "succeeded");
    await expect.poll(async () => (await ended()).map((run) => run.connection_id), { timeout: 20_000 }).toContain(id);
    expect(new Set((await runs()).map((run) => run.connection_id))).toEqual(new Set([id, world.connectionId]));
  });

  it("counts from the end of the last pull, manual ones and failed ones too [service.2.2.interval]", async () => {
    clock.advance(59 * MINUTE);
    erp.control({ mode: "500" });
    await pull();
    clock.advance(59 * MINUTE);
    expect(await reserveDueRuns(core)).toBe(0);
    clock.advance(MINUTE);
    expect(await reserveDueRuns(core)).toBe(1);
  });

  it("pulls an ERP that stays away less and less often, until it answers or a person asks [facts.scale.back-off]", async () => {
    const { tenantId, connectionId } = world;
    await act(setErp, { connectionId, intervalMinutes: 10 });
    const fails = async () => {
      erp.control({ mode: "503" });
      expect(await pull()).toMatchObject({ error: { code: "erp_unreachable" } });
    };
    const dueAfter = async (minutes: number) => {
      clock.advance(minutes * MINUTE - 1);
      expect(await reserveDueRuns(core)).toBe(0);
      clock.advance(1);
      expect(await reserveDueRuns(core)).toBe(1);
      await core.store.write(tenantId, (tx) => interruptRunOf(tx, core, { tenantId, connectionId }, "switched_off"));
    };
    for (const minutes of [10, 20, 40, 80, 120, 120]) {
      await fails();
      await dueAfter(minutes);
    }
    // A pull by hand needs no pause; an answer, a refusal too, ends it.
    erp.control({ mode: "401" });
    expect(await pull()).toMatchObject({ error: { code: "authentication_failed" } });
    await dueAfter(10);
    await fails();
    await fails();
    await act(setErp, { connectionId, intervalMinutes: 1440 });
    await dueAfter(1440);
    await act(setErp, { connectionId, intervalMinutes: 10 });
    await act(reconnectErp, { connectionId, password: "another password" });
    await dueAfter(10);
  });

  it("leaves alone what is switched off, manual pulls go on [service.2.2.auto-sync]", async () => {
    const { connectionId } = world;
    await act(setErp, { connectionId, autoSync: false, intervalMinutes: 10 });
    clock.advance(24 * 60 * MINUTE);
    expect(await reserveDueRuns(core)).toBe(0);
    expect(await pull()).toMatchObject({ status: "succeeded" });
    await act(setErp, { connectionId, autoSync: true, sync: false });
    clock.advance(24 * 60 * MINUTE);
    expect(await reserveDueRuns(core)).toBe(0);
    await act(setErp, { connectionId, sync: true });
    expect(await reserveDueRuns(core)).toBe(1);
  });

  it("reserves no run of what is switched off after it was found due [service.2.2.auto-sync]", async () => {
    const { connectionId } = world;
    clock.advance(60 * MINUTE);
    const look = core.store.everyShard.bind(core.store);
    vi.spyOn(core.store, "everyShard").mockImplementationOnce(async (work) => {
      const due = await look(work);
      await act(setErp, { connectionId, autoSync: false });
      return due;
    });
    expect(await reserveDueRuns(core)).toBe(0);
    expect(await runs()).toEqual([]);
    await act(setErp, { connectionId, autoSync: true });
    expect(await reserveDueRuns(core)).toBe(1);
  });

  it("runs by itself, from one pull to the next [service.2.2.interval]", async () => {
    await started({ leaseMs: 90 * MINUTE }); // the clock leaps below; no worker falls silent by that
    const succeeded = async () => (await runs()).filter((run) => run.status === "succeeded").length;
    clock.advance(61 * MINUTE);
    await expect.poll(succeeded).toBe(1);
    clock.advance(61 * MINUTE);
    await expect.poll(succeeded).toBe(2);
    expect(await runs()).toMatchObject([{ invoices_created: 40 }, { invoices_created: 0, invoices_read: 40 }]);
  });

  it("takes up a manual run at once [service.4.6.background]", async () => {
    const { tenantId } = world;
    await started({ scheduleEveryMs: 60_000, lookEveryMs: 60_000 });
    const syncRunId = await startSync(core, tenantId, world.connectionId);
    const run = await waitForRun(core, tenantId, syncRunId, { signal: AbortSignal.timeout(30_000), everyMs: 10 });
    expect(run).toMatchObject({ status: "succeeded", trigger: "manual", invoices_created: 40 });
  });

  it("lets one of several processes lead each run [service.3.5.one-in-flight]", async () => {
    const { tenantId } = world;
    await startSync(core, tenantId, world.connectionId);
    const claim = () => claimRuns(core, { leaseMs: 1_000, limit: 4 });
    const claims = await Promise.all([claim(), claim(), claim()]);
    expect(claims.flat().filter((run) => run.tenant_id === tenantId)).toHaveLength(1);
  });

  it("ends a run whose worker fell silent, and never one whose worker is alive [completions.4.interrupted]", async () => {
    const led = await startLed(core, world.tenantId, world.connectionId, 20_000);
    clock.advance(19_000);
    await interruptLostRuns(core);
    await renewLease(core, led);
    clock.advance(19_000);
    await interruptLostRuns(core);
    expect(await runs()).toMatchObject([{ status: "running" }]);
    clock.advance(1_001);
    await interruptLostRuns(core);
    expect(await runs()).toMatchObject([{ status: "failed", error_code: "interrupted" }]);
    expect(await renewLease(core, led)).toBe(false);
    expect(await world.connection()).toMatchObject({ last_sync_at: clock.now().toISOString(), status: "connected" });
    expect(await pull()).toMatchObject({ status: "succeeded" });
  });

  it("keeps the lease of a long pull alive [completions.4.interrupted]", async () => {
    const { tenantId, connectionId } = world;
    const realTime = { ...core, clock: { now: () => new Date() } };
    await act(setErp, { connectionId, autoSync: false });
    erp.control({ mode: "ok", latency_ms: 1_500 });
    const jobs = createJobs(realTime, {
      connect: quickConnect,
      lookEveryMs: 20,
      scheduleEveryMs: 60_000,
      leaseMs: 3_000,
    });
    running.push(jobs);
    await jobs.start();
    const syncRunId = await startSync(realTime, tenantId, connectionId);
    const run = await waitForRun(core, tenantId, syncRunId, { signal: AbortSignal.timeout(30_000), everyMs: 20 });
    expect(run.status).toBe("succeeded");
  });
});

describe.each(STORES)("a start on $name", ({ open }) => {
  const world = usePullWorld(open, dataset);
  const { core } = world;

  it("finds no run of an earlier process running where there can be only one process [completions.4.interrupted]", async () => {
    const { tenantId } = world;
    const led = await startLed(core, tenantId, world.connectionId);
    const jobs = createJobs(core, { connect: quickConnect });
    await jobs.start();
    await jobs.drain(0);
    const row = await core.store.read(tenantId, (tx) =>
      tx
        .selectFrom("sync_runs")
        .select(["status", "error_code"])
        .where("tenant_id", "=", tenantId)
        .where("sync_run_id", "=", led.sync_run_id)
        .executeTakeFirst(),
    );
    const expected =
      core.store.kind === "postgres"
        ? { status: "running", error_code: null }
        : { status: "failed", error_code: "interrupted" };
    expect(row).toEqual(expected);
  });
});
