import { KINDS, STORES } from "./stores.ts";

/** `THOROUGH=1 npm test` goes the long way everywhere: for a release, or a quiet night. */
export const IS_THOROUGH = process.env.THOROUGH === "1";

/** How often something drawn or repeated is gone through: `usually` at each change, `thoroughly` the long way. */
export function times(usually: number, thoroughly: number): number {
  return IS_THOROUGH ? thoroughly : usually;
}

/** For a test whose point is not the store: usually on the one that serves many processes, the long way on each. */
export const A_STORE = IS_THOROUGH ? STORES : STORES.slice(-1);

/** The same, of the kinds of store that a whole service runs on. */
export const A_SERVICE = IS_THOROUGH ? KINDS : KINDS.slice(-1);

/** Opens one of them, for a file of which one is enough. */
export const openAStore: (typeof STORES)[number]["open"] = (options) => {
  const [store] = A_STORE;
  if (store === undefined) throw new Error("no store");
  return store.open(options);
};
