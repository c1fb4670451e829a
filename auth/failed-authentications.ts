import { isIPv6 } from "node:net";
import type { Core } from "../src/core/gate/dependencies.ts";
import { FAILED_ATTEMPT_LIMITS, type Headroom, headroom, windowAt } from "../src/core/gate/rate-limits.ts";
import { countAttempt, countedAttempts } from "../src/store/identity/failed-attempts.ts";
import { askUnlessOver, rateLimitExceeded } from "./attempt-limits.ts";

const LIMIT = FAILED_ATTEMPT_LIMITS.address;

/** Where an address stands below the limit of failed authentications, which both routes share (completions §8). */
export interface FailureStanding {
  isOver: boolean;
  headroom: Headroom;
}

/** Reads it without counting a failure. */
export function failureStanding(core: Core, address: string | undefined): Promise<FailureStanding> {
  return standing(core, address, countedAttempts);
}

/**
 * Counts an unknown, malformed or forged credential; `isOver` is true if it exceeds the limit and is answered with 429.
 * Genuine credentials are neither counted nor limited: they cannot be guessed, and many callers share addresses.
 */
export function recordFailedAttempt(core: Core, address: string | undefined): Promise<FailureStanding> {
  return standing(core, address, countAttempt);
}

async function standing(
  core: Core,
  address: string | undefined,
  work: typeof countAttempt | typeof countedAttempts,
): Promise<FailureStanding> {
  const window = windowAt(core.clock.now(), FAILED_ATTEMPT_LIMITS.windowSeconds);
  const counter = { subject: sourceOf(address), windowStart: window.start };
  const ask = () => core.store.statement((tx) => work(tx, counter));
  const hits = await askUnlessOver(core, counter, LIMIT + 1, ask);
  return { isOver: hits > LIMIT, headroom: headroom(LIMIT, hits, window) };
}

/** The error for a failure beyond the limit. */
export function tooManyFailures(left: Headroom) {
  return rateLimitExceeded("Too many failed authentications from this address.", left);
}

/** One counter per host: an IPv4 address in any notation, or an IPv6 /64, which one host may use. */
export function sourceOf(forwarded: string | undefined): string {
  if (forwarded === undefined) return "address:unknown";
  // Some proxies add the port, which differs for each connection.
  const [, ofIpv6, ofIpv4] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/.exec(forwarded) ?? [];
  const address = ofIpv6 ?? ofIpv4 ?? forwarded;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return `address:${mapped ?? address}`;
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::", 2);
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - after.length)).fill("0");
  const network = [...groups, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `address:${network.join(":")}::/64`;
}

/** The /48 network of an IPv6 source (of {@link sourceOf}), which one customer may use; null for others. */
export function networkOf(source: string) {
  const [, network] = /^(address:\w+:\w+:\w+):\w+::\/64$/.exec(source) ?? [];
  return network === undefined ? null : `${network}::/48`;
}
