import { PaymentProviderError } from "../error.ts";
import type { PaymentGateway } from "../gateway.ts";
import { openEvent, sandboxLinkId } from "./events.ts";
import { payToken, type Seals } from "./token.ts";

/** Where the service's pay pages are, and whose links these are. */
export interface SandboxSettings {
  /** `{base_url}`; a link is `{base_url}/pay/<token>`. */
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly seals: Seals;
}

/**
 * A provider of the service's own, for the demo and tests: no money moves. It keeps nothing, so whether a link is active
 * is for its page to look up, to withdraw one is nothing, and none is ever found hanging.
 */
export function sandboxPayments({ baseUrl, tenantId, seals }: SandboxSettings): PaymentGateway {
  return {
    provider: "sandbox",
    livemode: false,
    chargeStep: () => 1n,

    async mintLink({ linkId, amountMinor }) {
      if (amountMinor <= 0n) throw new PaymentProviderError("amount_too_small", "The amount has to be above zero.");
      const url = `${baseUrl}/pay/${payToken(seals, { tenantId, linkId })}`;
      return { linkId, providerLinkId: sandboxLinkId(linkId), url, active: true };
    },

    async deactivateLink() {},

    async findLinks() {
      return { links: [], complete: true };
    },

    verifyEvents: (rawBody, signature) => [openEvent(seals, tenantId, rawBody, signature)],

    // Its pages tell of each payment in the same process: there is nothing to read after them.
    async *readEvents() {},

    async checkAccount() {
      return { accountId: `sandbox_${tenantId}`, livemode: false, chargesEnabled: true, currencies: null };
    },
  };
}
