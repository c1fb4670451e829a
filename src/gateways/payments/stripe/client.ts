import { Agent as HttpAgent, IncomingMessage } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type Stripe from "stripe";
import { type OutsideCall, outsideCalls } from "../../../signals.ts";
import { lookups, socketLookup } from "../../outgoing.ts";
import { stripeSdk } from "./sdk.ts";
import { checkSecrets, endpointOf, type StripeSettings } from "./settings.ts";

/** The version every request is made in and the types of the library belong to. */
export const API_VERSION = "2026-10-28.endive";

const TIMEOUT_MS = 10_000;
const MAX_NETWORK_RETRIES = 1;
/** Of one answer: a page of a hundred events is some hundred kilobytes. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
/** Until an answer begins, and then until it ends. */
const TOTAL_MS = 30_000;

/** Stripe's own library, pinned and silent. Nothing is sent yet. Throws what {@link endpointOf} does. */
export function stripeClient(settings: StripeSettings): Stripe {
  checkSecrets(settings);
  return new (stripeSdk())(settings.secretKey, {
    ...endpointOf(settings.apiBase),
    ...(settings.stripeAccount === undefined ? {} : { stripeAccount: settings.stripeAccount }),
    apiVersion: API_VERSION,
    timeout: settings.timeoutMs ?? TIMEOUT_MS,
    maxNetworkRetries: settings.maxNetworkRetries ?? MAX_NETWORK_RETRIES,
    telemetry: false,
    httpClient: boundedClient(settings.apiBase?.startsWith("http:") === true ? httpAgent() : httpsAgent()),
  });
}

/** Stripe's name is looked up by a share of its own; connections are kept open over many clients. */
const lookup = socketLookup(lookups.payments);
const httpAgent = once(() => new HttpAgent({ keepAlive: true, lookup }));
const httpsAgent = once(() => new HttpsAgent({ keepAlive: true, lookup }));

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * The library's client with answers bounded in bytes and in time; the library's own timeout starts again with every byte. It
 * prints the header `Stripe-Notice` to stderr, between the lines of the log, so that header is dropped.
 */
function boundedClient(agent: HttpAgent | HttpsAgent): ReturnType<typeof Stripe.createNodeHttpClient> {
  const client = stripeSdk().createNodeHttpClient(agent);
  return {
    getClientName: () => client.getClientName(),
    makeRequest(...request) {
      const told: OutsideCall = {
        system: "payments",
        operation: request[3] === "GET" ? "read" : "write",
        outcome: "ok",
      };
      return outsideCalls.during(told, async () => {
        const response = await inTime(client.makeRequest(...request));
        delete response.getHeaders()["stripe-notice"];
        if (response.getStatusCode() >= 400) told.outcome = String(response.getStatusCode());
        const read = response.toJSON.bind(response);
        response.toJSON = () => bounded(response.getRawResponse(), read);
        return response;
      });
    },
  };
}

/** Cuts an answer off that is too long or takes too long; `read` reads it and fails then. */
async function bounded<T>(raw: unknown, read: () => Promise<T>): Promise<T> {
  const reading = read();
  if (!(raw instanceof IncomingMessage)) return reading;
  let size = 0;
  raw.on("data", (chunk: string | Buffer) => {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) raw.destroy(new Error(`the answer is larger than ${MAX_ANSWER_BYTES} bytes`));
  });
  const late = setTimeout(() => raw.destroy(new Error("the answer did not end in time")), TOTAL_MS);
  return reading.finally(() => clearTimeout(late));
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = sleep(TOTAL_MS, undefined, { signal: done.signal }).then(() => {
    throw new Error("no answer began in time");
  });
  late.catch(() => {});
  return Promise.race([work, late]).finally(() => done.abort());
}
