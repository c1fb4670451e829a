import { LookupsBusy, sharedLookup } from "../../src/gateways/lookups.ts";
import { setNewest } from "../../src/gateways/newest.ts";
import { type Fetch, fetchBy, withinBytes } from "../../src/gateways/outgoing.ts";
import { isPublicUrl, type Lookup, NOT_PUBLIC, notPublic, publicLookup } from "../../src/gateways/public-address.ts";

export type { Fetch };

/** How long a failed address is not fetched again, in milliseconds, and how many are remembered. */
export const FAILURE_MS = 30_000;
const FAILURES = 1_000;

/** Of a document, packed or not; unpacked it has the bound of its kind. */
const MOST_BYTES = 128 * 1024;

interface GuardedFetchOptions {
  /** How connections are made. By default, to the addresses that were checked. */
  fetch?: Fetch;
  lookup: Lookup;
  /** Whether a URL may be fetched now; not asked for a URL that failed recently. */
  mayFetch?: (url: string) => Promise<boolean>;
}

/** A `fetch` whose answer has at most `maxBytes`. */
type BoundedFetch = (url: Parameters<Fetch>[0], options: Parameters<Fetch>[1], maxBytes: number) => Promise<Response>;

/**
 * A `fetch` for URLs that unknown clients name (metadata documents, keys): only to port 443 of a public name, at the
 * addresses that were checked, without following redirects. Throws for any answer but a whole one of 200; a URL that failed is not
 * fetched again for a while.
 */
export function guardedFetch({ fetch, lookup, mayFetch = async () => true }: GuardedFetchOptions): BoundedFetch {
  const find = publicLookup(sharedLookup(lookup));
  const send = fetch ?? fetchBy(find, MOST_BYTES);
  const failures = new Map<string, { until: number; error: unknown }>();

  return async (url, options, maxBytes) => {
    const text = url instanceof Request ? url.url : String(url);
    if (!isPublicUrl(text)) throw notPublic();
    // What is too long for a document may be right for keys, and who asks for which is a stranger's word.
    const asked = `${maxBytes} ${text}`;
    const failure = failures.get(asked);
    if (failure !== undefined && performance.now() < failure.until) throw failure.error;
    if (!(await mayFetch(text))) throw new Error("refused to fetch: asked for too often");
    try {
      await find(new URL(text).hostname);
      const response = await send(url, { ...options, redirect: "manual" });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw new Error(`answered ${response.status}`);
      }
      return await withinBytes(response, maxBytes);
    } catch (error) {
      if (!(error instanceof LookupsBusy))
        setNewest(failures, asked, { until: performance.now() + FAILURE_MS, error }, FAILURES);
      throw error;
    }
  };
}

/** Whether an address was not asked, and will not be: it is not on the public internet. */
export function isNotPublic(error: unknown) {
  return error instanceof Error && "code" in error && error.code === NOT_PUBLIC;
}
