import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import type { BatchObservableResult, Meter } from "@opentelemetry/api";
import { kept } from "../core/kernel/kept.ts";
import type { Backlog } from "../store/backlog.ts";
import type { PoolState } from "../store/store.ts";

/** Read at each collection of metrics. */
export interface Observed {
  /** The store's connections, by pool. */
  pools(): readonly PoolState[];
  /** Work that is waiting, over all workspaces. */
  backlog(): Promise<Backlog>;
  /** Resolves where the store takes writes. */
  tryWriting(): Promise<void>;
}

/** How long a scrape waits for the store. */
const STORE_WITHIN_MS = 2_000;
/** How long a backlog is cached. */
const BACKLOG_KEPT_MS = 10_000;

/** Gauges of the process, its connections to the store, and the backlog. Returns a function that stops them. */
export function observe(meter: Meter, { pools, backlog, tryWriting }: Observed) {
  const ends = [observeProcess(meter), observeBacklog(meter, kept(backlog, BACKLOG_KEPT_MS))];
  const writable = meter.createObservableGauge("receivables.store.writable", {
    description: "1 where the store took a write in time, else 0.",
  });
  writable.addCallback(async (result) => result.observe((await inTime(tryWriting().then(() => true))) ? 1 : 0));
  observePools(meter, pools);
  return () => {
    for (const end of ends) end();
  };
}

function observeProcess(meter: Meter): () => void {
  const delay = monitorEventLoopDelay();
  delay.enable();
  meter
    .createObservableGauge("nodejs.eventloop.delay.p99", { unit: "s", description: "Since it was last asked for." })
    .addCallback((result) => {
      result.observe(delay.percentile(99) / 1e9);
      delay.reset();
    });
  meter
    .createObservableUpDownCounter("process.memory.usage", { unit: "By", description: "Resident memory." })
    .addCallback((result) => result.observe(process.memoryUsage.rss()));
  return () => delay.disable();
}

function observePools(meter: Meter, pools: () => readonly PoolState[]) {
  const count = meter.createObservableUpDownCounter("db.client.connection.count", {
    description: "Connections to the store.",
  });
  count.addCallback((result) => {
    for (const { pool, used, idle } of pools()) {
      result.observe(used, { "db.client.connection.pool.name": pool, "db.client.connection.state": "used" });
      result.observe(idle, { "db.client.connection.pool.name": pool, "db.client.connection.state": "idle" });
    }
  });
  const waiting = meter.createObservableUpDownCounter("db.client.connection.pending_requests", {
    description: "Work that waits for a connection to the store.",
  });
  waiting.addCallback((result) => {
    for (const { pool, waiting: pending } of pools())
      result.observe(pending, { "db.client.connection.pool.name": pool });
  });
}

function observeBacklog(meter: Meter, backlog: () => Promise<Backlog>) {
  const age = meter.createObservableGauge("receivables.queue.oldest", {
    unit: "s",
    description: "How long the work that is due longest has been due.",
  });
  const receipts = meter.createObservableGauge("receivables.receipts", {
    description: "Receipts that wait for a person (held, failed) or for the ERP (queued).",
  });
  const connections = meter.createObservableGauge("receivables.erp.connections", {
    description: "ERP connections by status.",
  });
  const freshness = meter.createObservableGauge("receivables.erp.sync.oldest", {
    unit: "s",
    description:
      "Since the last successful pull of the connection that is furthest behind, of those pulled by schedule.",
  });
  const store = meter.createObservableGauge("receivables.store.up", {
    description: "1 where the store said in time what waits, else 0.",
  });
  const look = async (result: BatchObservableResult) => {
    const read = await inTime(backlog());
    result.observe(store, read === null ? 0 : 1);
    if (read === null) return;
    const { queues, receipts: waiting, connections: states, oldestSyncSeconds } = read;
    for (const { queue, oldestSeconds } of queues) result.observe(age, oldestSeconds, { queue });
    for (const { state, count } of waiting) result.observe(receipts, count, { state });
    for (const { status, count } of states) result.observe(connections, count, { status });
    if (oldestSyncSeconds !== null) result.observe(freshness, oldestSyncSeconds);
  };
  const observables = [store, age, receipts, connections, freshness];
  meter.addBatchObservableCallback(look, observables);
  return () => meter.removeBatchObservableCallback(look, observables);
}

/** What the store answers in time; null where it does not. */
function inTime<T>(answer: Promise<T>): Promise<T | null> {
  return Promise.race([answer.catch(() => null), sleep(STORE_WITHIN_MS, null, { ref: false })]);
}
