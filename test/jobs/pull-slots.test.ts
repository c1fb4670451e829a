import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { lockTenantFigures } from "../../src/core/collection/collection-queries.ts";
import type { ClaimShares } from "../../src/core/sync-runs/claim-queries.ts";
import { claimRuns } from "../../src/core/sync-runs/claim-runs.ts";
import { oracleFusion } from "../../src/gateways/erp/oracle-fusion/index.ts";
import type { ConnectGateway } from "../../src/jobs/pull-invoices.ts";
import { createJobs, type JobOptions, type Jobs } from "../../src/jobs/schedule.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { createFusionSimulator, type FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { LOCK_MS } from "../../src/store/server/session.ts";
import { TestClock, testCore } from "../support/core.ts";
import { connectWorkspace, makeTenant } from "../support/pulls.ts";
import { setRows } from "../support/stored.ts";
import { everyRow } from "../support/stores.ts";
import { startSync } from "../support/sync.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";

const dataset = generateBook({ seed: 5, today: "2026-03-10", invoices: 3 });
const MINUTE = 60_000;
const FREE: ClaimShares = { most: 2, hosts: [], tenants: [] };

/** The real connector, which waits for an ERP longer than the test takes. */
const patient: ConnectGateway = (_provider, settings) => oracleFusion({ ...settings, timeoutMs: 10 * MINUTE });

/** The same with pages of one new invoice each. */
const pageByPage: ConnectGateway = (_provider, settings) => oracleFusion({ ...settings, pageSize: 2 });
const endless = generateBook({ seed: 6, today: "2026-03-10", invoices: 2_000 });

describe.each(A_STORE)("places for pulls on $name", ({ name, open }) => {
  const { store } = useStore(open);
  const clock = new TestClock();
  const core = testCore(store, clock);
  let jobs: Jobs | undefined;
  const erps: FusionSimulator[] = [];
  afterEach(async () => {
    await jobs?.drain(0);
    jobs = undefined;
    await Promise.all(erps.splice(0).map((erp) => erp.close()));
    await setRows(store, null, "sync_runs", { status: "failed" }, { status: "running" });
  });

  /** Connects a workspace, its own unless said otherwise, and starts a pull; the run's id. */
  async function start(url: string, { tenantId = "", unreachable = 0 } = {}): Promise<string> {
    const tenant = tenantId === "" ? await makeTenant(core) : tenantId;
    const connectionId = await connectWorkspace(core, tenant, url, []);
    await setRows(store, tenant, "erp_connections", { unreachable_runs: unreachable }, { connection_id: connectionId });
    clock.advance(1_000);
    return startSync(core, tenant, connectionId);
  }

  /** The address of an ERP of its own. */
  function erpThat(mode: "ok" | "hang", latency_ms = 0, book = dataset): Promise<string> {
    const erp = createFusionSimulator(book);
    erps.push(erp);
    erp.control({ mode, latency_ms });
    return erp.listen();
  }

  /** Starts pulls of ERPs of their own. */
  async function startEach(count: number, mode: "ok" | "hang", unreachable = 0): Promise<string[]> {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) ids.push(await start(await erpThat(mode), { unreachable }));
    return ids;
  }

  const work = async (options: JobOptions) => {
    const never = 24 * 60 * MINUTE;
    jobs = createJobs(core, {
      connect: patient,
      pullsAtOnce: 4,
      lookEveryMs: 50,
      scheduleEveryMs: never,
      ...options,
    });
    await jobs.start();
  };
  const runs = (ids: readonly string[]) =>
    everyRow(store, (tx) =>
      tx
        .selectFrom("sync_runs")
        .select(["status", "claim_id", "error_code"])
        .where("sync_run_id", "in", [...ids])
        .execute(),
    );
  const count = async (ids: readonly string[], status: string) =>
    (await runs(ids)).filter((run) => run.status === status).length;
  const claimed = async (shares: ClaimShares, limit: number) =>
    (await claimRuns(core, { leaseMs: MINUTE, limit, shares })).map((run) => run.sync_run_id);

  it("are left for healthy ERPs while others hang that were well before [facts.scale.hanging]", async () => {
    await work({ silentAfterMs: 200 });
    const hanging = await startEach(6, "hang");
    const healthy = await startEach(5, "ok");
    await expect.poll(() => count(healthy, "succeeded"), { timeout: 60_000 }).toBe(5);
    expect(await count(hanging, "running")).toBe(6);
  });

  it.skipIf(name === "the embedded store")(
    "keep no turn for workspaces whose figures are held, for as long as that takes [facts.scale.hanging]",
    async () => {
      const tenants = [await makeTenant(core), await makeTenant(core), await makeTenant(core)];
      const held: string[] = [];
      for (const tenantId of [...tenants, ...tenants.slice(0, 1)])
        held.push(await start(await erpThat("ok"), { tenantId }));
      const free = Promise.withResolvers<void>();
      let holding = 0;
      const holders = tenants.map((tenantId) =>
        store.write(tenantId, async (tx) => {
          await lockTenantFigures(tx, tenantId).then(() => (holding += 1));
          await free.promise;
        }),
      );
      await expect.poll(() => holding).toBe(3);
      await work({});
      await sleep(2_000);
      expect((await runs(held)).filter((run) => run.claim_id !== null)).toHaveLength(4);
      const other = [await start(await erpThat("ok"))];
      await expect.poll(() => count(other, "succeeded"), { timeout: 3_000 }).toBe(1);
      await sleep(LOCK_MS.calls).then(free.resolve);
      await Promise.all(holders);
      await expect.poll(() => count(held, "succeeded"), { timeout: 10_000 }).toBe(4);
    },
  );

  it("are left for healthy ERPs while as many hang as there are places, one of which gives up its own [facts.scale.hanging]", async () => {
    await work({ silentAfterMs: 200 });
    const hanging = await startEach(16, "hang");
    // The one that gives up its place may have ended already.
    const hasBegun = (run: { status: string; claim_id: string | null }) =>
      run.claim_id !== null || run.status !== "running";
    await expect.poll(async () => (await runs(hanging)).filter(hasBegun).length, { timeout: 60_000 }).toBe(16);
    const healthy = await startEach(3, "ok");
    await expect.poll(() => count(healthy, "succeeded"), { timeout: 60_000 }).toBe(3);
    const failed = (await runs(hanging)).filter((run) => run.status === "failed");
    expect(new Set(failed.map((run) => run.error_code))).toEqual(new Set(["erp_unreachable"]));
    expect(failed.length).toBeLessThanOrEqual(4);
  });

  it("are left for an ERP that is back while others wait that were well [facts.scale.hanging]", async () => {
    await work({ silentAfterMs: 200 });
    const hanging = await startEach(2, "hang");
    const begun = async () => (await runs(hanging)).filter((run) => run.claim_id !== null).length;
    await expect.poll(begun, { timeout: 60_000 }).toBe(2);
    await sleep(1_000);
    const back = await startEach(1, "ok", 1);
    await expect.poll(() => count(back, "succeeded"), { timeout: 20_000 }).toBe(1);
  });

  it.each([
    { sends: "a little at a time", latencyMs: 2_000 },
    { sends: "quickly", latencyMs: 10 },
  ])(
    "are left for others while two workspaces' ERPs send $sends, without an end [facts.scale.hanging]",
    async ({ latencyMs }) => {
      const hostile: string[] = [];
      for (const tenantId of [await makeTenant(core), await makeTenant(core)])
        for (let made = 0; made < 6; made += 1)
          hostile.push(await start(await erpThat("ok", latencyMs, endless), { tenantId }));
      await work({ connect: pageByPage, silentAfterMs: 3_000 });
      const begun = async () => (await runs(hostile)).filter((run) => run.claim_id !== null).length;
      await expect.poll(begun, { timeout: 60_000 }).toBe(6);
      const healthy = [...(await startEach(4, "ok")), ...(await startEach(2, "ok", 1))];
      await expect.poll(() => count(healthy, "succeeded"), { timeout: 60_000 }).toBe(6);
      expect(await begun()).toBe(6);
      expect(await count(hostile, "running")).toBe(12);
    },
  );

  it("are left for an ERP that is back, however long another workspace's are away [facts.scale.hanging]", async () => {
    await work({ silentAfterMs: 10 * MINUTE });
    const tenantId = await makeTenant(core);
    const hanging: string[] = [];
    for (let made = 0; made < 6; made += 1)
      hanging.push(await start(await erpThat("hang"), { tenantId, unreachable: 1 }));
    const back = await startEach(1, "ok", 1);
    await expect.poll(() => count(back, "succeeded"), { timeout: 60_000 }).toBe(1);
    expect((await runs(hanging)).filter((run) => run.claim_id !== null)).toHaveLength(4);
    expect(await count(hanging, "running")).toBe(6);
  });

  it("are kept by an ERP that is slow and well, while others that never answer give up theirs [facts.scale.hanging]", async () => {
    await work({ connect: pageByPage, silentAfterMs: 300 });
    const slow = await start(await erpThat("ok", 1_000));
    await sleep(2_000);
    const hanging = await startEach(15, "hang");
    const begun = async () => (await runs(hanging)).filter((run) => run.claim_id !== null).length;
    await expect.poll(begun, { timeout: 60_000 }).toBe(15);
    await sleep(1_000);
    const healthy = await startEach(3, "ok");
    await expect.poll(() => count(healthy, "succeeded"), { timeout: 60_000 }).toBe(3);
    expect(await count([slow], "failed")).toBe(0);
  });

  it("are not kept by runs of a workspace, or at a host, that has its share [facts.scale.fair-slots]", async () => {
    const tenantId = await makeTenant(core);
    for (const path of ["a", "b", "c"]) await start(`https://shared.example.test/${path}`, { tenantId });
    const atHost = await start("https://shared.example.test/d");
    expect(await claimed({ ...FREE, tenants: [tenantId, tenantId] }, 10)).toEqual([atHost]);

    const own = await start("https://own.example.test", { tenantId });
    const held = { ...FREE, hosts: ["shared.example.test", "shared.example.test"] };
    expect(await claimed(held, 10)).toEqual([own]);
  });

  it("go to workspaces by turns at one host [facts.scale.fair-slots]", async () => {
    const atHost: string[] = [];
    for (const one of [await makeTenant(core), await makeTenant(core)])
      for (const path of ["a", "b"]) atHost.push(await start(`https://one.example.test/${path}`, { tenantId: one }));
    expect(await claimed(FREE, 10)).toEqual([atHost[0], atHost[2]]);
  });

  it("go to one host and to one workspace by half at most [facts.scale.fair-slots]", async () => {
    const pod: string[] = [];
    for (const path of ["a", "b", "c", "d"]) pod.push(await start(`https://POD.example.test:8443/${path}`));
    const tenantId = await makeTenant(core);
    const group: string[] = [];
    for (const host of ["e", "f", "g"]) group.push(await start(`https://${host}.example.test`, { tenantId }));
    const shares = { ...FREE, hosts: ["pod.example.test:8443"] };
    expect(new Set(await claimed(shares, 10))).toEqual(new Set([pod[0], group[0], group[1]]));
    expect(
      await claimed(
        { ...FREE, hosts: ["pod.example.test:8443", "pod.example.test:8443"], tenants: [tenantId, tenantId] },
        10,
      ),
    ).toEqual([]);
    expect(new Set(await claimed({ ...FREE, tenants: [tenantId] }, 10))).toEqual(new Set([pod[1], pod[2], group[2]]));
  });

  it("go by turns, a person's pull before those by schedule, and a clock that was ahead keeps none waiting [facts.scale.fair-slots] [service.8.wrong-clock]", async () => {
    const many = [await start("https://a.example.test"), await start("https://a.example.test")];
    const one = await start("https://b.example.test");
    expect(new Set(await claimed(FREE, 2))).toEqual(new Set([many[0], one]));
    expect(await claimed(FREE, 2)).toEqual([many[1]]);

    const [scheduled, manual, ahead] = [
      await start("https://a.example.test"),
      await start("https://b.example.test"),
      await start("https://c.example.test"),
    ];
    const put = (syncRunId: string, set: { trigger?: "scheduled"; started_at?: string }) =>
      setRows(store, null, "sync_runs", set, { sync_run_id: syncRunId });
    await put(scheduled, { trigger: "scheduled" });
    await put(ahead, { started_at: new Date(clock.now().getTime() + 40 * 24 * 60 * MINUTE).toISOString() });
    expect(await claimed(FREE, 1)).toEqual([ahead]);
    expect(await claimed(FREE, 1)).toEqual([manual]);
    expect(await claimed(FREE, 1)).toEqual([scheduled]);
  });
});
