import { hash } from "node:crypto";
import type { Core, Log } from "../../src/core/gate/dependencies.ts";
import { asServiceError, ServiceError } from "../../src/core/kernel/error.ts";
import type { Lookup } from "../../src/gateways/public-address.ts";
import { type AttemptLimit, count } from "../attempt-limits.ts";
import { hasLiveConnection } from "../connection-queries.ts";
import { networkOf, sourceOf } from "../failed-authentications.ts";
import type { Artifacts } from "./artifacts.ts";
import { type CurrentRequest, currentRequest } from "./current-request.ts";
import { FAILURE_MS, type Fetch, guardedFetch, isNotPublic } from "./outgoing.ts";

const WINDOW_SECONDS = 60;
/** Limit per approved client, apart from the one that unknown clients share. */
const OF_CLIENT: AttemptLimit = { name: "client-metadata-of-client", max: 30, windowSeconds: WINDOW_SECONDS };
/** Limit per source, so that one cannot use up the shared limits. */
const OF_ADDRESS: AttemptLimit = { name: "client-metadata-address", max: 30, windowSeconds: WINDOW_SECONDS };
/** How many a source asks for in a window to connect; more of them have a shared limit of their own. */
const TO_CONNECT = 3;
/** Limits for all unknown clients together: what sources ask for to connect, and what else they ask for. */
const OF_STRANGERS: AttemptLimit = { name: "client-metadata", max: 120, windowSeconds: WINDOW_SECONDS };
const OF_FREQUENT: AttemptLimit = { name: "client-metadata-frequent", max: 60, windowSeconds: WINDOW_SECONDS };

/** The most bytes of what a client publishes: its metadata document, whose address is its id, and its keys. */
export const PUBLISHED_BYTES = { ClientDocument: 16_384, ClientKeys: 65_536 } as const;
/** How long the last good ones are kept (in seconds): as long as a refresh token. */
const KEPT_SECONDS = 30 * 86_400;

/**
 * Keeps a client's document as it was when somebody approved the client. Two rows a client at most, and none for a
 * client that nobody approved: what strangers publish is kept no longer than their requests.
 */
export async function keepDocument(artifacts: Artifacts, clientId: string, document: object): Promise<void> {
  await artifacts.adapter("ClientDocument").upsert(clientId, { url: clientId, content: document }, KEPT_SECONDS);
}

interface PublishedOptions {
  core: Core;
  artifacts: Artifacts;
  /** How connections are made. */
  internet: { fetch?: Fetch; lookup: Lookup };
  log: Log;
}

/**
 * A `fetch` for what clients publish. While a new one cannot be had, the last good one serves a client with a live
 * connection (RFC 9111 §4.2.4). Without one it throws a {@link ServiceError} that says when to try again; for an address
 * that is never asked, any other error.
 */
export function publishedFetch({ core, artifacts, internet, log }: PublishedOptions): Fetch {
  const publisherOf = (url: string): string => keysOf(url, currentRequest()) ?? url;
  const mayFetch = (url: string) => mayFetchMetadata(core, publisherOf(url), currentRequest().address);
  const fetch = guardedFetch({ ...internet, mayFetch });
  return async (input, options) => {
    const url = input instanceof Request ? input.url : String(input);
    const model = keysOf(url, currentRequest()) === null ? "ClientDocument" : "ClientKeys";
    const clientId = publisherOf(url);
    const isApproved = await core.store.directory((tx) => hasLiveConnection(tx, clientId));
    const adapter = artifacts.adapter(model);
    let anothers: Response | undefined;
    try {
      const response = await fetch(input, options, PUBLISHED_BYTES[model]);
      const content = await objectOf(response);
      if (!isOfForm[model](content, url)) {
        if ("client_id" in content) anothers = response;
        throw new Error("not what a client publishes");
      }
      if (isApproved) await adapter.upsert(clientId, { url, content }, KEPT_SECONDS);
      return response;
    } catch (error) {
      const kept = isApproved ? await adapter.find(clientId) : undefined;
      if (kept?.url === url) {
        log.warn({ client_id: clientId, what: model }, "oauth.published.kept");
        return Response.json(kept.content);
      }
      // A document that names another client will not be right in a while: the provider says what is wrong with it.
      if (anothers !== undefined) return anothers;
      throw isNotPublic(error) ? error : unreadable(error);
    }
  };
}

/** The id of the client whose keys are at `url`, if the request is about one. */
function keysOf(url: string, { client }: CurrentRequest) {
  return client?.jwksUri === url ? client.clientId : null;
}

/** The JSON object of an answer; throws for anything else. */
async function objectOf(response: Response): Promise<object> {
  const content: unknown = JSON.parse(await response.clone().text());
  if (typeof content !== "object" || content === null || Array.isArray(content)) throw new Error("not a JSON object");
  return content;
}

/** What counts as a client's: a host that is being repaired answers with objects of other forms. */
const isOfForm = {
  ClientDocument: (content: object, url: string) => "client_id" in content && content.client_id === url,
  ClientKeys: (content: object) =>
    "keys" in content &&
    Array.isArray(content.keys) &&
    content.keys.every((key) => typeof key === "object" && key !== null),
} as const;

function unreadable(cause: unknown) {
  const message = "What the assistant publishes about itself cannot be read just now. Try again in half a minute.";
  return new ServiceError("internal_error", message, {
    cause,
    httpStatus: 503,
    retryAfterSeconds: FAILURE_MS / 1000,
  });
}

/** The failure behind an error of the library that may be over in a while: of the store, or of what a client publishes. */
export function temporaryCause(error: unknown): ServiceError | null {
  if (!(error instanceof Error)) return null;
  const failure = asServiceError(error);
  return failure.retryAfterSeconds === undefined ? temporaryCause(error.cause) : failure;
}

/**
 * Counts a fetch of what a client publishes; false if it is beyond a limit. `address` is the source of the request;
 * undefined where it is unknown.
 */
export async function mayFetchMetadata(core: Core, clientId: string, address: string | undefined): Promise<boolean> {
  const isApproved = await core.store.directory((tx) => hasLiveConnection(tx, clientId));
  // A client id is an address of any length.
  if (isApproved && (await isWithin(core, OF_CLIENT, hash("sha256", clientId, "base64url")))) return true;
  if (address === undefined) return isWithin(core, OF_STRANGERS, "all");
  const source = sourceOf(address);
  const { hits, max } = await count(core, OF_ADDRESS, networkOf(source) ?? source);
  return hits <= max && isWithin(core, hits > TO_CONNECT ? OF_FREQUENT : OF_STRANGERS, "all");
}

async function isWithin(core: Core, limit: AttemptLimit, subject: string): Promise<boolean> {
  const { hits, max } = await count(core, limit, subject);
  return hits <= max;
}
