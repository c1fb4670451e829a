import { LookupsBusy, sharedLookup } from "../../src/gateways/lookups.ts";
import { setNewest } from "../../src/gateways/newest.ts";
import { type Fetch, fetchBy } from "../../src/gateways/outgoing.ts";
import { isPublicUrl, type Lookup, publicLookup } from "../../src/gateways/public-address.ts";

export type { Fetch };

/** How long a failed address is not fetched again, in milliseconds, and how many are remembered. */
const FAILURE_MS = 30_000;
const FAILURES = 1_000;

interface GuardedFetchOptions {
  /** How connections are made. By default, to the addresses that were checked. */
  fetch?: Fetch;
  lookup: Lookup;
  /** Whether a URL may be fetched now; not asked for a URL that failed recently. */
  mayFetch?: (url: string) => Promise<boolean>;
}

/**
 * A `fetch` for URLs that unknown clients name (metadata documents, keys): only to port 443 of a public name, at the
 * addresses that were checked, without following redirects. A URL that failed is not fetched again for a while.
 */
export function guardedFetch({ fetch, lookup, mayFetch = async () => true }: GuardedFetchOptions) {
  const find = publicLookup(sharedLookup(lookup));
  const send = fetch ?? fetchBy(find);
  const failures = new Map<string, number>();

  const remember = (url: string): void => setNewest(failures, url, performance.now() + FAILURE_MS, FAILURES);

  /** Whether a URL failed recently, so that it is not fetched now. */
  const hasFailed = (url: string): boolean => (failures.get(url) ?? 0) > performance.now();
  const guarded: Fetch = async (url, options) => {
    const text = url instanceof Request ? url.url : String(url);
    if (!isPublicUrl(text)) throw new Error("refused to fetch: not a public https address");
    if (hasFailed(text)) throw new Error("refused to fetch: it failed a moment ago");
    if (!(await mayFetch(text))) throw new Error("refused to fetch: asked for too often");
    try {
      await find(new URL(text).hostname);
      const response = await send(url, { ...options, redirect: "manual" });
      if (response.status !== 200) remember(text);
      return response;
    } catch (error) {
      if (!(error instanceof LookupsBusy)) remember(text);
      throw error;
    }
  };
  return { fetch: guarded, hasFailed };
}
