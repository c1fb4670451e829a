import { erpSettings } from "../core/erp-access/credential.ts";
import { boundsOf, type Core } from "../core/gate/dependencies.ts";
import type { IdRange } from "../core/invoices/delivery/missing-queries.ts";
import { shownName } from "../core/kernel/text.ts";
import { claimRun, type LedRun, RunLostError, renewLease } from "../core/sync-runs/claim-runs.ts";
import {
  commitPage,
  missingAfterPull,
  type ReadInvoices,
  storedBefore,
  workspaceOf,
} from "../core/sync-runs/commit-page.ts";
import type { RunFailure } from "../core/sync-runs/finish-queries.ts";
import { failRun, succeedRun } from "../core/sync-runs/finish-run.ts";
import { assertMayRetire, RetirementHeld } from "../core/sync-runs/held-retirement.ts";
import { erpSentence } from "../erp-reasons.ts";
import { Patience } from "../gateways/erp/bounds.ts";
import {
  type BillingContact,
  ErpError,
  type ErpGateway,
  type ErpInvoice,
  type ErpPage,
} from "../gateways/erp/gateway.ts";
import type { ErpProvider, ErpSettings } from "../gateways/erp/index.ts";
import { type Job, jobs } from "../signals.ts";
import type { InTurn } from "../store/once-free.ts";
import { followReceipts } from "./follow-receipts.ts";
import { isMuchMore, readyFigures } from "./ready-figures.ts";
import { whileLeased } from "./rounds.ts";

/** Makes a connector; `erpGateway` of the gateways, unless a test wants shorter waits. */
export type ConnectGateway = (provider: ErpProvider, settings: ErpSettings) => ErpGateway;

const AT_ONCE: InTurn = (work) => work();

const CONFIRMED_AT_ONCE = 500;
/** Customers whose contacts a run keeps, beside those of a page: what it holds does not depend on its length. */
const CUSTOMERS_KEPT = 5_000;

/**
 * Works on a run to its end: reads the connection's invoices page by page, each page a transaction of its own, then
 * confirms what it did not meet and retires it (completions §7). Never rejects: the run tells how it went.
 * `signal` gives it up as `interrupted`, at the next page at the latest. What it writes it writes `inTurn` with other pulls; no ERP
 * is waited for meanwhile.
 */
export async function pullInvoices(
  core: Core,
  connect: ConnectGateway,
  led: LedRun,
  signal: AbortSignal,
  inTurn: InTurn = AT_ONCE,
) {
  const told: Job = { job: "pull_invoices", kind: "piece", outcome: "ok" };
  await jobs.during(told, async () => {
    told.outcome = await lead(core, connect, led, { signal, inTurn });
  });
}

/** Works on one reserved run to its end, unless another worker leads it or it has ended. */
export async function pullReserved(
  core: Core,
  connect: ConnectGateway,
  { tenantId, ...claim }: { tenantId: string; syncRunId: string; leaseMs: number },
  signal: AbortSignal,
) {
  const led = await claimRun(core, tenantId, claim);
  if (led !== null) await pullInvoices(core, connect, led, signal);
}

interface Leading {
  readonly signal: AbortSignal;
  readonly inTurn: InTurn;
}

/** Answers the run's outcome. */
async function lead(core: Core, connect: ConnectGateway, led: LedRun, { signal, inTurn }: Leading) {
  const { connection_id: connectionId, sync_run_id: syncRunId } = led;
  const workspace = shownName(await workspaceOf(core, led.tenant_id).catch(() => null));
  const fields = { workspace, connectionId, syncRunId };
  const writing = { ...core, store: core.store.inTurns(inTurn) };
  const lease = {
    leaseMs: led.leaseMs,
    renew: () => renewLease(core, led),
    failed: (error: unknown) => core.log.warn({ ...fields, err: error }, "sync_run.lease.not_renewed"),
  };
  const patience = new Patience("hoursOfRun", boundsOf(core).hoursOfRun);
  return whileLeased(lease, async (lost) => {
    try {
      await pull(writing, connect, led, AbortSignal.any([signal, lost, patience.signal]));
      core.log.info(fields, "sync_run.succeeded");
      return "ok";
    } catch (error) {
      if (!lost.aborted && !(error instanceof RunLostError)) return await fail(core, led, error, { signal, fields });
      core.log.warn(fields, "sync_run.ended_by_another");
      return "lost";
    }
  }).finally(() => patience.pause());
}

async function pull(core: Core, connect: ConnectGateway, led: LedRun, signal: AbortSignal) {
  const { tenant_id: tenantId, connection_id: connectionId, started_at: startedAt } = led;
  const { connection, ...stored } = await storedBefore(core, tenantId, led);
  if (connection === undefined || connection.credential === null) throw new RunLostError();
  const { provider, credential } = connection;
  const gateway = connect(provider, erpSettings(core, { ...connection, credential }));
  const beforeDelivery = await followReceipts(core, gateway, { tenantId, connectionId, startedAt }, signal);
  const contacts = contactBook(gateway, signal);
  const nothing: ReadInvoices = { ...stored, invoices: [], unreadable: [], contacts: new Map() };
  let [moved, ready] = [0, 0];
  const take = async (page: ReadInvoices, range: IdRange | null) => {
    moved = await commitPage(core, tenantId, { led, page, range }, signal);
    // For who looks meanwhile, and after a run that is cut off.
    if (!isMuchMore(moved, ready)) return;
    await readyFigures(core, { ...led, moved }, signal);
    ready = moved;
  };
  const takeRead = async ({ invoices, unreadable }: ErpPage, range: IdRange | null) => {
    await beforeDelivery(invoices);
    await take({ ...stored, invoices, unreadable, contacts: await contacts(invoices) }, range);
  };
  let after: string | null = null;
  for await (const read of readAhead(gateway.readInvoicePages({ pullFrom: led.pull_from, signal }))) {
    await takeRead(read, { after, through: read.lastId });
    after = read.lastId;
  }
  await take(nothing, { after, through: null });
  const absent = await confirmMissing(core, gateway, led, (found) => takeRead(found, null), signal);
  await assertMayRetire(core, tenantId, led, absent.length);
  await readyFigures(core, { ...led, moved }, signal);
  await succeedRun(core, tenantId, { led, absentIds: absent }, signal);
}

type Contacts = (invoices: readonly ErpInvoice[]) => Promise<ReadonlyMap<string, BillingContact>>;

/** Looks billing contacts up for the customers of a page at once, and keeps some thousands for the pages after it. */
function contactBook(gateway: ErpGateway, signal: AbortSignal): Contacts {
  const known = new Map<string, BillingContact>();
  const asked = new Set<string>();
  return async (invoices) => {
    if (asked.size > CUSTOMERS_KEPT) {
      known.clear();
      asked.clear();
    }
    const ids = invoices.map(({ customer }) => customer.erpCustomerId).filter((id) => id !== null);
    const unknown = [...new Set(ids)].filter((id) => !asked.has(id));
    if (unknown.length > 0) {
      for (const [id, contact] of await gateway.readBillingContacts(unknown, { signal })) known.set(id, contact);
      for (const id of unknown) asked.add(id);
    }
    return known;
  };
}

/**
 * Asks the ERP by id for what the pages left out: an ERP whose pages shift or lie must not retire what it has. What it
 * has after all is delivered; answers what it has not.
 */
async function confirmMissing(
  core: Core,
  gateway: ErpGateway,
  led: LedRun,
  take: (found: ErpPage) => Promise<void>,
  signal: AbortSignal,
) {
  const absent: string[] = [];
  let after: string | null = null;
  for (;;) {
    const missing = await missingAfterPull(core, led.tenant_id, led, after, CONFIRMED_AT_ONCE);
    if (missing.length === 0) return absent;
    after = missing.at(-1)?.erp_invoice_id ?? null;
    const ids = missing.map((invoice) => invoice.erp_invoice_id);
    const foundIds = new Set<string>();
    for await (const found of gateway.findInvoices(ids, { signal })) {
      await take(found);
      for (const { erpInvoiceId } of [...found.invoices, ...found.unreadable]) foundIds.add(erpInvoiceId);
    }
    absent.push(...missing.filter((one) => !foundIds.has(one.erp_invoice_id)).map((one) => one.invoice_id));
  }
}

/** Ends a run that failed. That an ERP failed is expected and needs no stack; only what nobody expected has one. */
async function fail(
  core: Core,
  led: LedRun,
  error: unknown,
  { signal, fields }: { signal: AbortSignal; fields: object },
) {
  const failure = failureOf(error, signal);
  const told = { ...fields, code: failure.code };
  if (failure.code === "internal_error") core.log.error({ ...told, err: error }, "sync_run.failed");
  else core.log.warn({ ...told, reason: reasonOf(error, failure) }, "sync_run.failed");
  try {
    await failRun(core, led.tenant_id, { led, failure });
  } catch (cause) {
    // The lease runs out by itself: another look finds the run and ends it as interrupted.
    if (!(cause instanceof RunLostError)) core.log.error({ ...fields, err: cause }, "sync_run.not_ended");
  }
  return failure.code;
}

const reasonOf = (error: unknown, failure: RunFailure) =>
  error instanceof ErpError || error instanceof RetirementHeld
    ? error.message
    : failure.reason && erpSentence(failure.reason);

function failureOf(error: unknown, signal: AbortSignal): RunFailure {
  if (signal.aborted) return { code: "interrupted", reason: { code: "stopped" } };
  if (error instanceof ErpError) return { code: error.kind, reason: error.reason };
  if (error instanceof RetirementHeld) return { code: "erp_rejected", reason: null, wouldRetire: error.wouldRetire };
  return { code: "internal_error", reason: { code: "unexpected" } };
}

/** Yields what a source yields, and asks it for the next meanwhile. What the source throws comes in its turn. */
async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const items = source[Symbol.asyncIterator]();
  let next = items.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done === true) return;
      next = items.next();
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    // Nobody waits for an item that is no longer wanted.
    items.return?.().catch(() => undefined);
  }
}
