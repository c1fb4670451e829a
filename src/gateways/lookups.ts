import { Resolver, lookup as systemLookup } from "node:dns/promises";
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { setNewest } from "./newest.ts";
import type { Addresses, Lookup } from "./public-address.ts";

/** Limits of one kind of work's look-ups, so that no other kind waits for them. */
interface LookupShare {
  /** For one look-up, and again for the wait and the look-up together. */
  readonly timeoutMs: number;
  /** Names looked up at once; the others wait. */
  readonly concurrency: number;
  /** Names that may wait; more are refused. */
  readonly waiting: number;
  /** How long an answer, or that there was none, is remembered. */
  readonly rememberMs: number;
}

const SHARE: LookupShare = { timeoutMs: 4_000, concurrency: 32, waiting: 256, rememberMs: 30_000 };
const REMEMBERED = 1_000;
const HOSTS_FILE = "/etc/hosts";

interface Known {
  readonly until: number;
  readonly addresses: Addresses | null;
}

/** Limits a look-up in time and number. Names asked for at once, or shortly after, are asked for once. */
export function sharedLookup(find: Lookup, share: Partial<LookupShare> = {}): Lookup {
  const { timeoutMs, concurrency, waiting: most, rememberMs } = { ...SHARE, ...share };
  const known = new Map<string, Known>();
  const asked = new Map<string, Promise<Addresses>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function run(hostname: string) {
    if (running >= concurrency) {
      if (waiting.length >= most) throw new LookupsBusy();
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    running += 1;
    try {
      return await withinTime(find(hostname), timeoutMs);
    } catch (error) {
      remember(hostname, null);
      throw error;
    } finally {
      running -= 1;
      waiting.shift()?.();
    }
  }

  function remember(hostname: string, addresses: Addresses | null) {
    setNewest(known, hostname, { until: performance.now() + rememberMs, addresses }, REMEMBERED);
  }

  function ask(hostname: string) {
    const asking = run(hostname).then((addresses) => {
      remember(hostname, addresses);
      return addresses;
    });
    asked.set(hostname, asking);
    const forget = () => asked.delete(hostname);
    asking.then(forget, forget);
    return asking;
  }

  return async (hostname) => {
    const before = known.get(hostname);
    if (before !== undefined && performance.now() < before.until) {
      if (before.addresses === null) throw notFound(hostname);
      return before.addresses;
    }
    return withinTime(asked.get(hostname) ?? ask(hostname), timeoutMs, () => new LookupsBusy());
  };
}

/** Too many look-ups are waiting: the name was not looked up. */
export class LookupsBusy extends Error {
  override readonly name = "LookupsBusy";
  readonly code = "EAI_AGAIN";
}

/** The work's result, or a rejection with `tooLate` after `ms`; the work itself goes on. */
export async function withinTime<T>(work: Promise<T>, ms: number, tooLate = unanswered) {
  const done = new AbortController();
  const late = sleep(ms, undefined, { signal: done.signal, ref: false }).then(() => {
    throw tooLate();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
    late.catch(() => {});
    work.catch(() => {});
  }
}

function unanswered(): Error {
  return Object.assign(new Error("the name was not resolved in time"), { code: "EAI_AGAIN" });
}

function notFound(hostname: string): Error {
  return Object.assign(new Error(`no address of ${hostname} is known`), { code: "ENOTFOUND" });
}

/** Asks only the DNS: not the hosts file, and without a thread of the pool that files, zips and passwords need. */
export function dnsLookup(servers?: readonly string[]): Lookup {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length > 0) return addresses;
    throw four.status === "rejected" ? four.reason : notFound(hostname);
  };
}

/** For names operators give: the hosts file, then the DNS, then for names unknown there the system's resolver. */
export function machineLookup(dns: Lookup = dnsLookup()): Lookup {
  const hosts = hostsFile();
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    if (name === "localhost" || isIP(name) !== 0) return systemLookup(hostname, { all: true });
    const local = hosts().get(name);
    if (local !== undefined) return local;
    try {
      return await dns(hostname);
    } catch (error) {
      if (!isUnknownName(error)) throw error;
      return systemLookup(hostname, { all: true });
    }
  };
}

function isUnknownName(error: unknown) {
  return error instanceof Error && "code" in error && (error.code === "ENOTFOUND" || error.code === "ENODATA");
}

/** The names of the hosts file, read again when it has changed. */
function hostsFile(): () => ReadonlyMap<string, Addresses> {
  let readAt = Number.NaN;
  let names = new Map<string, Addresses>();
  return () => {
    try {
      const { mtimeMs } = statSync(HOSTS_FILE);
      if (mtimeMs !== readAt) names = parseHosts(readFileSync(HOSTS_FILE, "utf8"));
      readAt = mtimeMs;
    } catch {
      names = new Map();
    }
    return names;
  };
}

/** The addresses of each name in the text of a hosts file. */
export function parseHosts(text: string) {
  const names = new Map<string, Addresses>();
  for (const line of text.split("\n")) {
    const [address = "", ...aliases] = (line.split("#", 1)[0] ?? "").trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const alias of aliases)
      names.set(alias.toLowerCase(), [...(names.get(alias.toLowerCase()) ?? []), { address, family }]);
  }
  return names;
}
