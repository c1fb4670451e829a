import { randomUUID } from "node:crypto";
import { performance } from "node:perf_hooks";
import express from "express";
import { apiKeyAuthentication } from "../auth/api-key-authentication.ts";
import { createApiKey } from "../auth/api-keys/create-api-key.ts";
import { operate } from "../src/core/gate/operator.ts";
import { systemClock } from "../src/core/kernel/calendar.ts";
import { restApi } from "../src/rest/api.ts";
import { openPostgres } from "../src/store/database.ts";
import { testCore } from "../test/support/core.ts";
import { listen } from "../test/support/http.ts";
import { startCaller } from "./caller.ts";
import { analyze, startDatabase } from "./database.ts";
import { fillLedger, type Ledger } from "./ledger.ts";
import { median, quantile } from "./quantile.ts";
import { report } from "./report.ts";

const INVOICES = Number(process.env.BENCH_INVOICES ?? 1_000_000);
const CALLS = Number(process.env.BENCH_CALLS ?? 300);
/** Calls before those that are measured: a server runs for days, and compiles what it uses in its first seconds. */
const WARM_UP = { all: Math.min(1_500, CALLS * 5), each: Math.min(50, CALLS) };
/** Milliseconds inside the server, authentication and all. */
const LIMITS = { p50: 5, p99: 20 };

/** Twenty ways to ask for a page of 100; each call of one takes another cursor or value where it can. */
const queries = ({ connectionId, customerId }: Ledger): readonly string[] => [
  "",
  "order=asc",
  "collection_status=open",
  "collection_status=paid&order=asc",
  "currency=EUR",
  "currency=JPY&collection_status=open",
  "invoice_number=INV-500000",
  `connection_id=${connectionId}`,
  `connection_id=${connectionId}&collection_status=inactive`,
  `customer_id=${customerId}`,
  `customer_id=${customerId}&collection_status=open&currency=USD`,
  "updated_since=2026-01-01T00:00:00Z",
  "updated_since=2025-12-31T00:00:00Z&order=asc",
  "erp_push_state=failed",
  "erp_push_state=held",
  "has_active_payment_link=true",
  "has_active_payment_link=false&collection_status=open&due_before=2026-01-01",
  "due_after=2025-06-01&due_before=2025-06-30",
  "collection_status=open&due_before=2021-06-01&order=desc",
  "currency=GBP&erp_push_state=applied&has_active_payment_link=false",
];

/** Pages of 100 of a million invoices in one workspace, over HTTP, timed inside the server. */
export async function run(): Promise<boolean> {
  const database = await startDatabase();
  if (database === null) return true;
  try {
    return await measure(database.url);
  } finally {
    await database.stop();
  }
}

async function measure(databaseUrl: string): Promise<boolean> {
  const store = await openPostgres(databaseUrl);
  const core = { ...testCore(store, systemClock), checksOutputs: false };
  const ledger = await fillLedger(store, randomUUID(), INVOICES);
  await analyze(databaseUrl);
  const { key } = await operate(core, ledger.tenantId, createApiKey, { name: "bench", permission: "readonly" });

  const times: number[] = [];
  const app = express();
  app.use((_request, response, next) => {
    const start = performance.now();
    response.once("finish", () => times.push(performance.now() - start));
    next();
  });
  const authenticate = apiKeyAuthentication(core, { limited: false });
  app.use(restApi({ core, authenticate, publicOrigin: "http://127.0.0.1" }));
  const { url, close } = await listen(app);
  const caller = await startCaller({ url, token: key });
  const pages = (query: string, calls: number): Promise<unknown> =>
    caller.make({ path: `/v1/invoices?limit=100&${query}`, calls });
  await pages("", WARM_UP.all);
  const found: { query: string; p50: number; p99: number }[] = [];
  for (const query of queries(ledger)) {
    await pages(query, WARM_UP.each);
    times.length = 0;
    await pages(query, CALLS);
    found.push({ query: query || "(none)", p50: median(times), p99: quantile(times, 0.99) });
  }
  await caller.leave();
  await close();
  await store.close();
  return report("lists", {
    note: `${INVOICES} invoices, pages of 100, ${CALLS} calls each, ms inside the server, authentication and all`,
    columns: ["query", "p50", "p99"],
    rows: found.map(({ query, p50, p99 }) => [query, p50.toFixed(2), p99.toFixed(2)]),
    limits: found.flatMap(({ query, p50, p99 }) => [
      { what: `p50 of ${query}`, value: p50, most: LIMITS.p50 },
      { what: `p99 of ${query}`, value: p99, most: LIMITS.p99 },
    ]),
  });
}
