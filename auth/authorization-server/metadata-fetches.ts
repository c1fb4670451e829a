import { hash } from "node:crypto";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { type AttemptLimit, count } from "../attempt-limits.ts";
import { hasLiveConnection } from "../connection-queries.ts";
import { sourceOf } from "../failed-authentications.ts";
import type { CurrentRequest } from "./provider.ts";

const WINDOW_SECONDS = 60;
/** Limit per approved client, apart from the one that unknown clients share. */
const OF_CLIENT: AttemptLimit = { name: "client-metadata-of-client", max: 30, windowSeconds: WINDOW_SECONDS };
/** Limit per source address, so that one address cannot use up the shared limit. */
const OF_ADDRESS: AttemptLimit = { name: "client-metadata-address", max: 30, windowSeconds: WINDOW_SECONDS };
/** Limit for all unknown clients together. */
const OF_STRANGERS: AttemptLimit = { name: "client-metadata", max: 120, windowSeconds: WINDOW_SECONDS };

/**
 * Counts a fetch of a client's metadata document; false if it is beyond a limit. `address` is the source of the
 * request; undefined where it is unknown, as on our own pages.
 */
export async function mayFetchMetadata(core: Core, clientId: string, address: string | undefined): Promise<boolean> {
  const isApproved = await core.store.directory((tx) => hasLiveConnection(tx, clientId));
  // A client id is an address of any length.
  if (isApproved && (await isWithin(core, OF_CLIENT, hash("sha256", clientId, "base64url")))) return true;
  if (address !== undefined && !(await isWithin(core, OF_ADDRESS, sourceOf(address)))) return false;
  return isWithin(core, OF_STRANGERS, "all");
}

/** The same for the keys that a client publishes; all other fetches were counted before. */
export async function mayFetchKeys(core: Core, url: string, { client, address }: CurrentRequest): Promise<boolean> {
  return client === undefined || client.jwksUri !== url || mayFetchMetadata(core, client.clientId, address);
}

async function isWithin(core: Core, limit: AttemptLimit, subject: string): Promise<boolean> {
  const { hits, max } = await count(core, limit, subject);
  return hits <= max;
}
