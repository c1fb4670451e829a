import { isPublicUrl, type Lookup, resolvesPublicly } from "../../src/gateways/public-address.ts";

/** `fetch`, or what stands in for it. */
export type Fetch = typeof globalThis.fetch;

/**
 * A `fetch` for URLs that strangers name (client metadata documents, their keys): no connection is made but to port
 * 443 of a public name, and no redirect is followed. What a name resolves to is checked once more as it connects.
 */
export function guardedFetch(fetch: Fetch, lookup: Lookup): Fetch {
  return async (url, options) => {
    const text = url instanceof Request ? url.url : String(url);
    if (!isPublicUrl(text) || !(await resolvesPublicly(text, lookup)))
      throw new Error("refused to fetch: not a public https address");
    return fetch(url, { ...options, redirect: "manual" });
  };
}
