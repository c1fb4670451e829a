import type Provider from "oidc-provider";
import type { SigningKeyRing } from "../signing-key-ring.ts";
import type { HeldKey } from "../signing-keys.ts";

/** The provider with the current keys, and its request handler. */
export type CurrentProvider = () => Promise<{ provider: Provider; answer: ReturnType<Provider["callback"]> }>;

/**
 * A provider cannot change its keys, so a new one is made when they change. All its state is in the store: a request
 * may begin with one provider and go on with the next.
 */
export function currentProvider(ring: SigningKeyRing, make: (keys: readonly HeldKey[]) => Provider): CurrentProvider {
  let current: (Awaited<ReturnType<CurrentProvider>> & { kids: string }) | null = null;
  return async () => {
    const keys = await ring.keys();
    const kids = keys.map(({ key }) => key.kid).join(" ");
    if (current?.kids !== kids) {
      const provider = make(keys);
      current = { kids, provider, answer: provider.callback() };
    }
    return current;
  };
}
