import { describe, expect, it, vi } from "vitest";
import { oracleFusion } from "../../src/gateways/erp/oracle-fusion/index.ts";
import { type ConnectGateway, pullInvoices } from "../../src/jobs/pull-invoices.ts";
import { createJobs } from "../../src/jobs/schedule.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { PAGE_MODES } from "../../src/simulators/fusion/faults.ts";
import type { ControlInput } from "../../src/simulators/fusion/index.ts";
import { quickConnect, startLed, usePullWorld } from "../support/pulls.ts";
import { setRows } from "../support/stored.ts";
import { startSync } from "../support/sync.ts";
import { A_STORE } from "../support/thorough.ts";
import { waitForRun } from "../support/wait-for-run.ts";

const dataset = generateBook({ seed: 3, today: "2026-03-10", invoices: 90 });

/** What each failure of the ERP makes of the run and of the connection (completions §4, §7). */
const FAILURES: readonly (readonly [ControlInput, string, string])[] = [
  [{ mode: "401" }, "authentication_failed", "requires_reauthentication"],
  [{ mode: "403" }, "authentication_failed", "requires_reauthentication"],
  [{ mode: "500" }, "erp_unreachable", "temporarily_unavailable"],
  [{ mode: "503", retry_after: 0 }, "erp_unreachable", "temporarily_unavailable"],
  [{ mode: "429", retry_after: 3_600 }, "erp_unreachable", "temporarily_unavailable"],
  [{ mode: "hang" }, "erp_unreachable", "temporarily_unavailable"],
  [{ mode: "drop" }, "erp_unreachable", "temporarily_unavailable"],
  [{ mode: "cut" }, "erp_unreachable", "temporarily_unavailable"],
  ...PAGE_MODES.map((mode) => [{ mode }, "erp_unreachable", "temporarily_unavailable"] as const),
  [{ mode: "404" }, "erp_rejected", "connected"],
];

const impatient: ConnectGateway = (_provider, settings) =>
  oracleFusion({ ...settings, pageSize: 30, timeoutMs: 1_000, maxRetries: 1, retryDelayMs: 5 });

describe.each(A_STORE)("a pull that fails on $name", ({ open }) => {
  const world = usePullWorld(open, dataset);
  const { core, erp, pull, book, connection } = world;

  it.each(FAILURES)(
    "with the ERP at %j is %s and leaves the connection %s [completions.7.status] [completions.7.form]",
    async (control, code, status) => {
      await pull();
      world.clock.advance(60_000);
      erp.control({ ...control, after: 6 });
      const run = await pull(impatient);
      expect(run).toMatchObject({ status: "failed", finished_at: "2026-03-10T15:01:00.000Z", error: { code } });
      expect(run.invoices_read).toBeGreaterThan(0);
      expect(run.invoices_read).toBeLessThan(90);
      expect(run.error?.message).toMatch(/^[\x20-\x7e]{10,120}$/);
      expect(run.error?.message).not.toContain(erp.url);
      expect(await connection()).toMatchObject({
        status,
        last_sync_at: "2026-03-10T15:01:00.000Z",
        last_successful_sync_at: "2026-03-10T15:00:00.000Z",
      });
      erp.control({ mode: "ok" });
      world.clock.advance(60_000);
      expect(await pull(impatient)).toMatchObject({ status: "succeeded", invoices_retired: 0, error: null });
      expect(await connection()).toMatchObject({
        status: "connected",
        last_successful_sync_at: "2026-03-10T15:02:00.000Z",
      });
    },
  );

  it("keeps the pages it committed", async () => {
    erp.control({ mode: "500", after: 3 });
    const failed = await pull();
    expect((await book()).size).toBe(failed.invoices_created);
    erp.control({ mode: "ok" });
    expect(await pull()).toMatchObject({ invoices_created: 90 - failed.invoices_created });
  });

  it("says no more than `internal_error` of a fault of our own", async () => {
    const broken: ConnectGateway = () => {
      throw new Error("password=secret at /somewhere");
    };
    const run = await pull(broken);
    expect(run.error).toEqual({ code: "internal_error", message: "Unexpected error." });
    expect(await connection()).toMatchObject({ status: "connected" });
  });

  it("is given up as interrupted when the service stops [completions.4.interrupted]", async () => {
    const { tenantId } = world;
    const led = await startLed(core, tenantId, world.connectionId);
    const stop = new AbortController();
    erp.control({ mode: "hang", after: 3 });
    const pulling = pullInvoices(core, quickConnect, led, stop.signal);
    await expect.poll(() => erp.requests.length).toBeGreaterThan(3);
    stop.abort();
    await pulling;
    const run = await waitForRun(core, tenantId, led.sync_run_id);
    expect(run).toMatchObject({ status: "failed", error: { code: "interrupted" } });
    expect(await connection()).toMatchObject({ status: "connected" });
  });

  it("is drained: a quick pull finishes, a slow one is interrupted, none is left running [completions.4.interrupted]", async () => {
    const { tenantId } = world;
    // The first one is begun without being asked for.
    await pull();
    for (const [latency_ms, drainMs, outcome] of [
      [5, 30_000, "succeeded"],
      [600_000, 100, "failed"],
    ] as const) {
      erp.control({ mode: "ok", latency_ms });
      erp.forgetRequests();
      const jobs = createJobs(core, { connect: quickConnect, lookEveryMs: 20 });
      await jobs.start();
      const syncRunId = await startSync(core, tenantId, world.connectionId);
      await expect.poll(() => erp.requests.length).toBeGreaterThan(0);
      await jobs.drain(drainMs);
      const run = await waitForRun(core, tenantId, syncRunId, { signal: AbortSignal.timeout(2_000) });
      expect(run.status).toBe(outcome);
      if (outcome === "failed") expect(run.error?.code).toBe("interrupted");
    }
  });

  it("stops writing once the run was ended under it", async () => {
    const { tenantId } = world;
    const led = await startLed(core, tenantId, world.connectionId);
    const ending: ConnectGateway = (provider, settings) => {
      const gateway = quickConnect(provider, settings);
      return {
        ...gateway,
        async *readInvoicePages(options) {
          let pages = 0;
          for await (const page of gateway.readInvoicePages(options)) {
            pages += 1;
            if (pages === 2) {
              // It is read while the first is still being written.
              await vi.waitFor(async () => expect((await book()).size).toBe(40), { timeout: 20_000 });
              await setRows(
                core.store,
                tenantId,
                "sync_runs",
                {
                  status: "failed",
                  error_code: "interrupted",
                  error_reason: { code: "cut_off" },
                  finished_at: "2026-03-10T15:00:00.000Z",
                },
                { sync_run_id: led.sync_run_id },
              );
            }
            yield page;
          }
        },
      };
    };
    await pullInvoices(core, ending, led, new AbortController().signal);
    expect((await book()).size).toBe(40);
    expect(await waitForRun(core, tenantId, led.sync_run_id)).toMatchObject({
      status: "failed",
      invoices_read: 40,
    });
  });
});
