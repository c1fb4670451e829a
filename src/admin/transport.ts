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

/**
 * Executes a request: in this process on PostgreSQL; on the embedded store in the server that holds it, else in this
 * process. Throws StoreLockedError when another process holds the store and does not answer for `patienceMs`, and an Error
 * where there is no store: a mistyped folder must not become a new service.
 */
export async function sendRequest(settings: Config, request: AdminRequest, log: Log, patienceMs = PATIENCE_MS) {
  const { databaseUrl, databaseDirectUrl: directUrl, dataDir } = settings;
  if (databaseUrl !== null)
    return executeHere(() => openPostgres(databaseUrl, { poolSize: 4, directUrl }), settings, request, log);
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer: AdminAnswer | null = await askServer(dataDir, request);
    if (answer !== null) return answer;
    const isNew = !hasEmbeddedStore(dataDir);
    if (isNew && !startsStore(request))
      throw new Error(
        `DATA_DIR: ${resolve(dataDir)} holds no store. Name the service's data folder; a new service begins with \`workspace create\`, its first start, or \`backup restore\`.`,
      );
    try {
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
function removeAllBut(before: readonly string[] | null, dataDir: string) {
  const made = readdirSync(dataDir).filter((name) => !before?.includes(name));
  const paths = before === null ? [dataDir] : made.map((name) => join(dataDir, name));
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

async function executeHere(open: () => Promise<Store>, settings: Config, request: AdminRequest, log: Log) {
  // The key comes first: an existing store without its key must not get a new one.
  const secrets = Secrets.of(settings);
  const store = await open();
  try {
    const { publicUrl, listing, demo, erpBounds } = settings;
    const clock = systemClock;
    const payments = paymentProviders({ secrets, clock, sandboxAt: demo ? publicUrl : null });
    const core: Core = { store: store.patient, clock, newId: randomUUID, secrets, log, payments, erpBounds };
    // What is written under a key that the service does not have would end its next start.
    await assertOwnSigningKeys(core).catch((error: unknown) => {
      throw error instanceof ForeignSigningKeys ? foreignKeyProblem(settings) : error;
    });
    if (store.kind === "embedded") await endLeftovers(core);
    const { signal } = new AbortController();
    // On PostgreSQL the service's processes claim runs; this one also claims what the operator waits for.
    const leadRun: AdminContext["leadRun"] = async ({ wait, ...run }) => {
      if (wait || store.kind === "embedded")
        await pullReserved(core, erpGateway, { ...run, leaseMs: LEASE_MS }, signal);
    };
    return await executeRequest(
      { core, publicUrl, listing, keyFolder: keyFolderOf(settings), signal, leadRun },
      request,
    );
  } finally {
    await store.close();
  }
}
