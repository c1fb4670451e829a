import { UUID } from "../../../uuid.ts";
import { type PaymentConfirmed, type PaymentEvent, type PaymentGateway, PaymentProviderError } from "../gateway.ts";

/** Where the service's pay pages are, and whose links these are. */
interface SandboxSettings {
  /** `{base_url}`; a link is `{base_url}/pay/<token>`. */
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly seals: Seals;
}

/** A provider for the demo and tests: no money moves. It keeps nothing; its page looks up whether a link is active. */
export function sandboxPayments({ baseUrl, tenantId, seals }: SandboxSettings): PaymentGateway {
  return {
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

    // Its pages tell of each payment in the same process: there is nothing to be notified of, or to read after them.
    verifyEvents() {
      throw new PaymentProviderError("signature_invalid", "The notification is not the service's own.");
    },

    async *readEvents() {},

    async checkAccount() {
      return { accountId: `sandbox_${tenantId}`, livemode: false, chargesEnabled: true, currencies: null };
    },
  };
}

/** The provider's id of a link, and of the one payment it can have: however often it is confirmed, it counts once. */
const sandboxLinkId = (linkId: string) => `sandbox_link_${linkId}`;
export const sandboxPaymentId = (linkId: string) => `sandbox_payment_${linkId}`;

/** Says that a customer paid or declined on the service's own page. */
export function sandboxEvent(
  type: "payment_confirmed" | "payment_failed",
  {
    linkId,
    ...about
  }: Pick<PaymentConfirmed, "providerEventId" | "occurredAt" | "amountMinor" | "currency"> & Pick<PayPage, "linkId">,
): PaymentEvent {
  const link = { linkId, providerLinkId: sandboxLinkId(linkId), providerPaymentId: sandboxPaymentId(linkId) };
  return { type, ...about, ...link, livemode: false, linkSpent: false };
}

/** Keyed digests that only the service can make; the core's `Secrets` is one. */
interface Seals {
  seal(purpose: string, text: string): Buffer;
  sealMatches(purpose: string, text: string, given: Uint8Array): boolean;
}

/** Which link a pay page is for, and whose. */
export interface PayPage {
  readonly tenantId: string;
  readonly linkId: string;
}

const OF_PAGES = "sandbox pay page";
const IDS_BYTES = 32;
const SEAL_BYTES = 16;
const TOKEN = /^[\w-]{64}$/;

/** The last part of a pay page's address: 64 characters that nobody else can make up. Throws RangeError on a non-UUID. */
export function payToken(seals: Seals, { tenantId, linkId }: PayPage) {
  const ids = [tenantId, linkId];
  if (!ids.every((id) => UUID.test(id))) throw new RangeError("not a UUID in lower case");
  const text = ids.join("").replaceAll("-", "");
  return Buffer.concat([Buffer.from(text, "hex"), seals.seal(OF_PAGES, text).subarray(0, SEAL_BYTES)]).toString(
    "base64url",
  );
}

/** Reverses {@link payToken}; null for anything the service did not make. */
export function readPayToken(seals: Seals, token: string): PayPage | null {
  if (!TOKEN.test(token)) return null;
  const bytes = Buffer.from(token, "base64url");
  const text = bytes.toString("hex", 0, IDS_BYTES);
  if (!seals.sealMatches(OF_PAGES, text, bytes.subarray(IDS_BYTES))) return null;
  const [tenantId = "", linkId = ""] = text.match(/.{32}/g)?.map(uuidOf) ?? [];
  return { tenantId, linkId };
}

const uuidOf = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
