import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../config.ts";
import { systemClock } from "../core/calendar.ts";
import type { Core, Log } from "../core/core.ts";
import { Secrets } from "../core/secrets.ts";
import { loadEncryptionKey } from "../encryption-key.ts";
import { openEmbedded, openPostgres } from "../store/database.ts";
import { StoreLockedError } from "../store/embedded.ts";
import type { Store } from "../store/store.ts";
import { type AdminRequest, executeRequest } from "./execute.ts";
import { askServer } from "./socket.ts";

/** How long a server may hold the store and not answer yet, or no more, before that is an error. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 200;

type Settings = Pick<Config, "databaseUrl" | "dataDir" | "encryptionKey">;

/**
 * Has a request executed by whoever may: here, on PostgreSQL; on the embedded store by the server that holds it, and
 * here when there is none. Answers an AdminAnswer. Throws StoreLockedError when another process holds the store in silence.
 */
export async function sendRequest(settings: Settings, request: AdminRequest, log: Log): Promise<unknown> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== null)
    return executeHere(await openPostgres(databaseUrl, { poolSize: 4 }), settings, request, log);
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await askServer(dataDir, request);
    if (answer !== null) return answer;
    try {
      return await executeHere(await openEmbedded(dataDir), settings, request, log);
    } catch (error) {
      if (!(error instanceof StoreLockedError) || Date.now() > deadline) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

async function executeHere(store: Store, settings: Settings, request: AdminRequest, log: Log): Promise<unknown> {
  try {
    const secrets = new Secrets(loadEncryptionKey(settings));
    const core: Core = { store, clock: systemClock, newId: randomUUID, secrets, log };
    return await executeRequest({ core, signal: new AbortController().signal }, request);
  } finally {
    await store.close();
  }
}
