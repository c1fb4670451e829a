import type Provider from "oidc-provider";
import type { SigningKeyRing } from "../signing-key-ring.ts";
import type { HeldKey } from "../signing-keys.ts";

/** What to serve a request with: a provider whose keys are those of now, and how it answers. */
export type CurrentProvider = () => Promise<{ provider: Provider; answer: ReturnType<Provider["callback"]> }>;

/**
 * A provider has the keys it was made with for good, so another is made whenever they are others. All it remembers is
 * in the store: a request may begin with one and go on with the next.
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
