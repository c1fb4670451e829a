import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach } from "vitest";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { claimRuns, type LedRun } from "../../src/core/sync-runs/claim-runs.ts";
import { oracleFusion } from "../../src/gateways/erp/oracle-fusion/index.ts";
import { type ConnectGateway, pullInvoices } from "../../src/jobs/pull-invoices.ts";
import { type InvoicePlan, toItem } from "../../src/simulators/fusion/book-invoice.ts";
import {
  createFusionSimulator,
  type FusionItem,
  type FusionSimulator,
  type FusionSimulatorOptions,
} from "../../src/simulators/fusion/index.ts";
import type { Store } from "../../src/store/store.ts";
import type { ErpConnectionRow } from "../../src/store/tables/erp.ts";
import type { InstallmentRow, InvoiceRow } from "../../src/store/tables/invoices.ts";
import { type Act, actIn } from "./acting.ts";
import { TestClock, testCore } from "./core.ts";
import { addTenants, rowOf, setRows } from "./stored.ts";
import type { TestStore } from "./stores.ts";
import { startSync } from "./sync.ts";
import { standIn } from "./use-store.ts";
import { waitForRun } from "./wait-for-run.ts";

/** The real connector with short waits and small pages. */
export const quickConnect: ConnectGateway = (_provider, settings) =>
  oracleFusion({ ...settings, pageSize: 40, timeoutMs: 20_000, maxRetries: 1, retryDelayMs: 5, maxRetryWaitMs: 50 });

export const ALDER = { partyId: 300100500000000000n, number: "1001", name: "Alder Logistics" };

/** An invoice as an ERP has it: of 100.00 USD to Alder Logistics in one installment, unless said otherwise. */
export function erpItem(
  { parts = [{}], ...over }: Partial<InvoicePlan> & { parts?: readonly Partial<InvoicePlan["installments"][number]>[] },
  businessUnit = "Vision Operations",
): FusionItem {
  const plan = { id: 300100180000000000n, number: "INV-1", currency: "USD", date: "2026-01-20", terms: null };
  const part = { dueDate: "2026-02-01", amountMinor: 100_00n, balanceMinor: 100_00n };
  const installments = parts.map((one) => ({ ...part, ...one }));
  return toItem({ ...plan, customer: ALDER, installments, ...over }, businessUnit);
}

/** The account of Alder Logistics, as an ERP has it. */
export const alderAccount = (email: string | null): FusionItem => ({
  PartyId: ALDER.partyId,
  PrimaryContactName: null,
  PrimaryContactEmail: email,
});

/** Makes a workspace; the id of its tenant. */
export async function makeTenant({ store, clock }: Core, timezone = "UTC"): Promise<string> {
  const tenant_id = randomUUID();
  await addTenants(store, {
    ...{ tenant_id, name: `Workspace ${tenant_id}`, timezone, created_at: clock.now().toISOString() },
  });
  return tenant_id;
}

/**
 * Connects a workspace to an ERP at `url`, and to a sandbox that charges `currencies`. Nothing is pulled by itself, unless
 * `autoSync` says so. The connection's id.
 */
export async function connectWorkspace(
  core: Core,
  tenantId: string,
  url: string,
  currencies: readonly string[] = ["USD", "EUR", "GBP", "JPY", "KWD", "AUD"],
  autoSync = false,
): Promise<string> {
  const connection = await operate(core, tenantId, connectErp, {
    provider: "oracle_fusion",
    url,
    username: "integration",
    password: "a password",
    autoSync,
  });
  if (currencies.length > 0) {
    await operate(core, tenantId, connectIntegration, { provider: "sandbox", currencies: [...currencies] });
  }
  return connection.id;
}

/** Starts a manual run and takes it up as some worker would. */
export async function startLed(core: Core, tenantId: string, connectionId: string, leaseMs = 20_000): Promise<LedRun> {
  const syncRunId = await startSync(core, tenantId, connectionId);
  const led = await claimRuns(core, { leaseMs, limit: 10 });
  const own = led.find((run) => run.sync_run_id === syncRunId);
  if (own === undefined) throw new Error("the run was not to be had");
  return own;
}

/** Runs one pull from start to end, and answers the run as it ended. */
export async function runPull(
  core: Core,
  tenantId: string,
  connectionId: string,
  connect: ConnectGateway = quickConnect,
): ReturnType<typeof waitForRun> {
  const led = await startLed(core, tenantId, connectionId);
  await pullInvoices(core, connect, led, new AbortController().signal);
  return waitForRun(core, tenantId, led.sync_run_id);
}

/** Every invoice of a tenant by its ERP id (a local one by its own), with its installments by ERP id. */
export async function bookOf(
  core: Core,
  tenantId: string,
): Promise<Map<string, InvoiceRow & { installments: InstallmentRow[] }>> {
  return core.store.read(tenantId, async (tx) => {
    const invoices = await tx
      .selectFrom("invoices")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .orderBy("invoice_id")
      .execute();
    const installments = await tx
      .selectFrom("installments")
      .selectAll()
      .where("tenant_id", "=", tenantId)
      .orderBy("sequence_number")
      .execute();
    const byInvoice = Map.groupBy(installments, (row) => row.invoice_id);
    return new Map(
      invoices.map((row) => [
        row.erp_invoice_id ?? row.invoice_id,
        { ...row, installments: byInvoice.get(row.invoice_id) ?? [] },
      ]),
    );
  });
}

/** A workspace connected to a simulator of its own, made anew for each test of the suite it is called in. */
export interface PullWorld {
  core: Core;
  clock: TestClock;
  erp: FusionSimulator;
  tenantId: string;
  connectionId: string;
  /** Calls an operation as an operator of the workspace. */
  act: Act;
  /** One pull from start to end. */
  pull(connect?: ConnectGateway): ReturnType<typeof waitForRun>;
  book(): ReturnType<typeof bookOf>;
  /** The connection's row. */
  connection(): Promise<ErpConnectionRow>;
}

/** Registers the hooks that make a {@link PullWorld}; all but the ids can be taken out of it before the first test. */
export function usePullWorld(open: () => Promise<TestStore>, dataset: FusionSimulatorOptions = {}): PullWorld {
  return useFurnished(open, dataset, async (world) => world);
}

/** The same with what `furnish` adds to it. */
export function useFurnished<T extends PullWorld>(
  open: () => Promise<TestStore>,
  dataset: FusionSimulatorOptions,
  furnish: (world: PullWorld) => Promise<T>,
): T {
  let opened: TestStore;
  let world: T | undefined;
  beforeAll(async () => {
    opened = await open();
    return () => opened.remove();
  });
  beforeEach(async () => {
    const made = await makePullWorld(opened.store, dataset);
    world = await furnish(made);
    return () => made.erp.close();
  });
  return standIn(() => world, "core", "clock", "erp");
}

/** Makes one, whose simulator the caller closes. */
export async function makePullWorld(store: Store, dataset: FusionSimulatorOptions): Promise<PullWorld> {
  const clock = new TestClock();
  const core = testCore(store, clock);
  const erp = createFusionSimulator(dataset);
  const url = await erp.listen();
  const tenantId = await makeTenant(core);
  const connectionId = await connectWorkspace(core, tenantId, url, undefined, true);
  return {
    core,
    clock,
    erp,
    tenantId,
    connectionId,
    act: actIn(() => ({ core, tenantId })),
    pull: (connect) => runPull(core, tenantId, connectionId, connect),
    book: () => bookOf(core, tenantId),
    connection: () => rowOf(core.store, tenantId, "erp_connections", { connection_id: connectionId }),
  };
}

/** Has the ERPs of a workspace pass as synced, so that workflows can be turned on before the first pull. */
export async function passAsSynced({ store, clock }: Core, tenantId: string): Promise<void> {
  const synced = { last_successful_sync_at: clock.now().toISOString() };
  await setRows(store, tenantId, "erp_connections", synced);
}
