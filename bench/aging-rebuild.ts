import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { rebuildInSlices } from "../src/core/aging/rebuild-in-slices.ts";
import type { Core } from "../src/core/gate/dependencies.ts";
import { verifyAging } from "../src/store/aging/verify.ts";
import type { AgingBook } from "./aging-book.ts";
import { quantile } from "./quantile.ts";

/** Seconds after which a rebuild is ended early: what writers waited until then says enough. */
const MOST_SECONDS = Number(process.env.BENCH_REBUILD_SECONDS ?? 24 * 3_600);

/** Between two writers. */
const PAUSE_MS = 20;

/**
 * How long a roll-up with wrong figures takes to be rebuilt, and how long writers of its workspace waited meanwhile; `isWhole`
 * unless it was ended early.
 */
export async function measureRebuild(core: Core, { tenantId }: AgingBook) {
  const { store } = core;
  await store.write(tenantId, async (tx) => {
    await sql`update aging_totals set amount_1 = amount_1 + 1 where tenant_id = ${tenantId}`.execute(tx);
    await sql`update aging_debts set amount = amount + 1
      where tenant_id = ${tenantId} and invoice_id in (select invoice_id from aging_debts limit 100)`.execute(tx);
  });
  const waits: number[] = [];
  let isOver = false;
  const begun = performance.now();
  const latest = AbortSignal.timeout(MOST_SECONDS * 1_000);
  const rebuilding = rebuildInSlices(core, tenantId, latest)
    .catch((error: unknown) => {
      if (!latest.aborted) throw error;
    })
    .finally(() => {
      isOver = true;
    });
  while (!isOver) {
    const start = performance.now();
    // What every writer waits for, and nothing else.
    await store.write(tenantId, (tx) =>
      sql`select from aging_state where tenant_id = ${tenantId} for update`.execute(tx),
    );
    waits.push(performance.now() - start);
    await sleep(PAUSE_MS);
  }
  await rebuilding;
  const seconds = (performance.now() - begun) / 1_000;
  const figures = { seconds, longestMs: Math.max(...waits), p99Ms: quantile(waits, 0.99), isWhole: !latest.aborted };
  if (latest.aborted) return figures;
  const { differences } = await store.patient.read(tenantId, (tx) => verifyAging(tx, tenantId));
  if (differences > 0) throw new Error(`the rebuilt roll-up has ${differences} differences`);
  return figures;
}
