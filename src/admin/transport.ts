import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { assertOwnSigningKeys, ForeignSigningKeys } from "../../auth/signing-keys.ts";
import type { Config } from "../config.ts";
import type { Core, Log } from "../core/gate/dependencies.ts";
import { systemClock } from "../core/kernel/calendar.ts";
import { Secrets } from "../core/kernel/secrets.ts";
import { paymentProviders } from "../core/provider-access/payment-providers.ts";
import { foreignKeyProblem, keyFolderOf } from "../encryption-key.ts";
import { erpGateway } from "../gateways/erp/index.ts";
import { endLeftovers } from "../jobs/housekeeping.ts";
import { pullReserved } from "../jobs/pull-invoices.ts";
import { openEmbedded, openPostgres } from "../store/database.ts";
import { hasEmbeddedStore, StoreLockedError } from "../store/embedded/embedded.ts";
import type { Store } from "../store/store.ts";
import type { AdminContext } from "./command.ts";
import { type AdminAnswer, type AdminRequest, executeRequest, startsStore } from "./execute.ts";
import { askServer } from "./socket.ts";

/** How long to wait for a server that is starting: a first start with the demo holds the store this long. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 200;
const LEASE_MS = 20_000;

/** The data folder holds no store, and the command needs one: a mistyped folder must not become a new service. */
function noStore(dataDir: string): Error {
  return new Error(
    `DATA_DIR: ${resolve(dataDir)} holds no store. Name the service's data folder; a new service begins with \`workspace create\`, its first start, or \`backup restore\`.`,
  );
}

/**
 * Executes a request: in this process on PostgreSQL; on the embedded store in the server that holds it, else in this
 * process. Returns an AdminAnswer. Throws StoreLockedError when another process holds the store and does not answer
 * for `patienceMs`, and an Error where there is no store.
 */
export async function sendRequest(
  settings: Config,
  request: AdminRequest,
  log: Log,
  patienceMs = PATIENCE_MS,
): Promise<unknown> {
  const { databaseUrl, databaseDirectUrl: directUrl, dataDir } = settings;
  if (databaseUrl !== null) {
    const opening = () => openPostgres(databaseUrl, { poolSize: 4, directUrl });
    return executeHere(opening, settings, request, log);
  }
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await askServer(dataDir, request);
    if (answer !== null) return answer;
    if (!hasEmbeddedStore(dataDir) && !startsStore(request)) throw noStore(dataDir);
    try {
      const isNew = !hasEmbeddedStore(dataDir);
      const before = existsSync(dataDir) ? readdirSync(dataDir) : null;
      const answer = await executeHere(() => openEmbedded(dataDir), settings, request, log);
      if (isNew && "refusal" in answer) removeAllBut(before, dataDir);
      return answer;
    } catch (error) {
      if (!(error instanceof StoreLockedError) || Date.now() > deadline) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/** A refused command leaves no store or key behind that it began; null: nor the folder. */
function removeAllBut(before: readonly string[] | null, dataDir: string): void {
  const made = readdirSync(dataDir).filter((name) => !before?.includes(name));
  const paths = before === null ? [dataDir] : made.map((name) => join(dataDir, name));
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

async function executeHere(
  open: () => Promise<Store>,
  settings: Config,
  request: AdminRequest,
  log: Log,
): Promise<AdminAnswer> {
  // The key comes first: an existing store without its key must not get a new one.
  const secrets = Secrets.of(settings);
  const store = await open();
  try {
    const sandboxAt = settings.demo ? settings.publicUrl : null;
    const payments = paymentProviders({ secrets, clock: systemClock, sandboxAt });
    const core: Core = { store: store.patient, clock: systemClock, newId: randomUUID, secrets, log, payments };
    // What is written under a key that the service does not have would end its next start.
    await assertOwnSigningKeys(core).catch((error: unknown) => {
      throw error instanceof ForeignSigningKeys ? foreignKeyProblem(settings) : error;
    });
    if (store.kind === "embedded") await endLeftovers(core);
    const signal = new AbortController().signal;
    const { publicUrl, listing } = settings;
    return await executeRequest(
      { core, publicUrl, listing, keyFolder: keyFolderOf(settings), signal, leadRun: runnerOf(core, signal) },
      request,
    );
  } finally {
    await store.close();
  }
}

/** On PostgreSQL the service's processes claim runs; this process also claims one that the operator waits for. */
function runnerOf(core: Core, signal: AbortSignal): AdminContext["leadRun"] {
  return async ({ tenantId, syncRunId, wait }) => {
    if (core.store.kind === "postgres" && !wait) return;
    await pullReserved(core, erpGateway, { tenantId, syncRunId, leaseMs: LEASE_MS }, signal);
  };
}
