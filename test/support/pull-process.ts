/**
 * A process that opens a store, tells what it finds there, pulls once and tells each page it has committed: made to be
 * killed. Its one argument is a {@link PullProcessPlan} as JSON; what it tells are lines of {@link PullProcessLine}.
 */

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { Secrets } from "../../src/core/kernel/secrets.ts";
import { oracleFusion } from "../../src/gateways/erp/oracle-fusion/index.ts";
import type { ConnectGateway } from "../../src/jobs/pull-invoices.ts";
import { createJobs } from "../../src/jobs/schedule.ts";
import { type Location, openAt } from "./location.ts";
import { rowsOf } from "./stored.ts";
import { startSync } from "./sync.ts";
import { waitForRun } from "./wait-for-run.ts";

export interface PullProcessPlan {
  location: Location;
  tenantId: string;
  connectionId: string;
  pageSize: number;
}

export interface FoundRun {
  sync_run_id: string;
  status: string;
  error_code: string | null;
}

export type PullProcessLine =
  | { what: "found"; runs: FoundRun[]; invoices: { erp_invoice_id: string; balance: string | null }[] }
  | { what: "started"; syncRunId: string }
  | { what: "committed"; through: string }
  | { what: "ended"; status: string };

const plan: PullProcessPlan = JSON.parse(process.argv[2] ?? "");

// Synchronous on a pipe: what was told was told before the process died.
const tell = (line: PullProcessLine): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const store = await openAt(plan.location, { poolSize: 3 });
const silent = (): void => undefined;
const core: Core = {
  store,
  clock: { now: () => new Date() },
  newId: randomUUID,
  secrets: new Secrets(Buffer.alloc(32, 7)),
  log: { info: silent, warn: silent, error: silent },
};

/** A pull reads one page ahead: whoever asks for the next has committed the one before the last. */
const telling: ConnectGateway = (_provider, settings) => {
  const gateway = oracleFusion({ ...settings, pageSize: plan.pageSize });
  return {
    ...gateway,
    async *readInvoicePages(options) {
      let before = "0";
      for await (const page of gateway.readInvoicePages(options)) {
        yield page;
        tell({ what: "committed", through: before });
        before = page.invoices.at(-1)?.erpInvoiceId ?? before;
      }
    },
  };
};

const jobs = createJobs(core, { connect: telling, lookEveryMs: 25, leaseMs: 2_000 });
await jobs.start();
const { tenantId } = plan;
const runsOf = () => rowsOf(store, tenantId, "sync_runs", {}, "started_at");
let runs = await runsOf();
while (runs.some((run) => run.status === "running")) {
  await sleep(25);
  runs = await runsOf();
}
const invoices = await store.read(tenantId, (tx) =>
  tx
    .selectFrom("invoices")
    .select(["erp_invoice_id", "erp_invoice_open_balance as balance"])
    .where("tenant_id", "=", tenantId)
    .execute(),
);
tell({ what: "found", runs, invoices: invoices.map((row) => ({ ...row, erp_invoice_id: row.erp_invoice_id ?? "" })) });
const syncRunId = await startSync(core, tenantId, plan.connectionId);
tell({ what: "started", syncRunId });
const { status } = await waitForRun(core, tenantId, syncRunId, { everyMs: 10 });
await jobs.drain();
await store.close();
tell({ what: "ended", status });
