import { type Core, nowOf } from "../src/core/gate/dependencies.ts";
import { knowsAddress, rememberAddress } from "../src/store/identity/sign-in-limits.ts";
import type { Transaction } from "../src/store/store.ts";

/** How many of a person's addresses are remembered, and how long after the last sign-in from them. */
const ADDRESSES_KNOWN = 20;
const ADDRESS_KNOWN_MS = 90 * 86_400_000;

/** Whether a person signed in from an address before; the same work for nobody's id. */
export function isKnownAddress(core: Core, personId: string, address: string) {
  const since = new Date(core.clock.now().getTime() - ADDRESS_KNOWN_MS).toISOString();
  const hashes = addressHashes(core, personId, address);
  return core.store.directory((tx) => knowsAddress(tx, { personId, hashes, since }));
}

/** Remembers an address that a person signed in from, with their second factor where they have one. */
export function rememberSignInAddress(tx: Transaction, core: Core, personId: string, address: string) {
  const hash = addressHashes(core, personId, address)[0] ?? "";
  return rememberAddress(tx, { personId, hash, now: nowOf(core), most: ADDRESSES_KNOWN });
}

/** Bound to the person: the store does not show who signs in from the same place, or where that is. */
function addressHashes({ secrets }: Pick<Core, "secrets">, personId: string, address: string) {
  return secrets.seals("address of a sign-in", `${personId}\0${address}`).map((seal) => seal.toString("base64url"));
}
