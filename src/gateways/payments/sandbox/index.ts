import { z } from "zod";
import { type PaymentEvent, type PaymentGateway, PaymentProviderError } from "../gateway.ts";

/** Where the service's pay pages are, and whose links these are. */
export interface SandboxSettings {
  /** `{base_url}`; a link is `{base_url}/pay/<token>`. */
  readonly baseUrl: string;
  readonly tenantId: string;
  readonly seals: Seals;
}

/** A provider for the demo and tests: no money moves. It keeps nothing; its page looks up whether a link is active. */
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

/** What a customer did on a pay page. */
export interface SandboxEvent extends PayPage {
  readonly type: "payment_confirmed" | "payment_failed";
  readonly eventId: string;
  readonly occurredAt: string;
  readonly amountMinor: bigint;
  readonly currency: string;
}

interface SealedEvent {
  readonly body: Buffer;
  readonly signature: string;
}

const OF_EVENTS = "sandbox payment event";

const Body = z.strictObject({
  type: z.enum(["payment_confirmed", "payment_failed"]),
  event_id: z.string(),
  occurred_at: z.string(),
  tenant_id: z.string(),
  link_id: z.string(),
  amount_minor: z.string().regex(/^[1-9]\d*$/),
  currency: z.string(),
});

/** Says that a customer paid or declined on the service's own page; only who holds the seals can. */
export function sealEvent(seals: Seals, event: SandboxEvent): SealedEvent {
  const body: z.output<typeof Body> = {
    type: event.type,
    event_id: event.eventId,
    occurred_at: event.occurredAt,
    tenant_id: event.tenantId,
    link_id: event.linkId,
    amount_minor: event.amountMinor.toString(),
    currency: event.currency,
  };
  const text = JSON.stringify(body);
  return { body: Buffer.from(text), signature: seals.seal(OF_EVENTS, text).toString("hex") };
}

/** The provider's id of a link, and of the one payment it can have: however often it is confirmed, it counts once. */
const sandboxLinkId = (linkId: string) => `sandbox_link_${linkId}`;
const sandboxPaymentId = (linkId: string) => `sandbox_payment_${linkId}`;

/** Reads what {@link sealEvent} made for this workspace. Throws `signature_invalid`. */
function openEvent(seals: Seals, tenantId: string, rawBody: Buffer, signature: string | undefined): PaymentEvent {
  const text = rawBody.toString("utf8");
  if (signature === undefined || !/^[0-9a-f]{64}$/.test(signature)) throw notSealed();
  if (!seals.sealMatches(OF_EVENTS, text, Buffer.from(signature, "hex"))) throw notSealed();
  const event = Body.parse(JSON.parse(text));
  if (event.tenant_id !== tenantId) throw notSealed();
  const origin = { providerEventId: event.event_id, occurredAt: event.occurred_at, livemode: false };
  const link = { linkId: event.link_id, providerLinkId: sandboxLinkId(event.link_id) };
  const providerPaymentId = sandboxPaymentId(event.link_id);
  if (event.type === "payment_failed")
    return { type: event.type, ...origin, ...link, linkSpent: false, providerPaymentId };
  const taken = { amountMinor: BigInt(event.amount_minor), currency: event.currency };
  return { type: event.type, ...origin, ...link, providerPaymentId, ...taken };
}

function notSealed() {
  return new PaymentProviderError("signature_invalid", "The notification is not the service's own.");
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
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID_BYTES = 16;
const SEAL_BYTES = 16;
const TOKEN = /^[\w-]{64}$/;

/** The last part of a pay page's address: 64 characters that nobody else can make up. Throws RangeError on a non-UUID. */
export function payToken(seals: Seals, page: PayPage) {
  const seal = seals.seal(OF_PAGES, textOf(page)).subarray(0, SEAL_BYTES);
  return Buffer.concat([uuidBytes(page.tenantId), uuidBytes(page.linkId), seal]).toString("base64url");
}

/** Reverses {@link payToken}; null for anything the service did not make. */
export function readPayToken(seals: Seals, token: string): PayPage | null {
  if (!TOKEN.test(token)) return null;
  const bytes = Buffer.from(token, "base64url");
  const page = { tenantId: uuidText(bytes, 0), linkId: uuidText(bytes, UUID_BYTES) };
  return seals.sealMatches(OF_PAGES, textOf(page), bytes.subarray(2 * UUID_BYTES)) ? page : null;
}

const textOf = ({ tenantId, linkId }: PayPage) => `${tenantId}/${linkId}`;

function uuidBytes(uuid: string): Buffer {
  if (!UUID.test(uuid)) throw new RangeError("not a UUID in lower case");
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

function uuidText(bytes: Buffer, start: number) {
  const hex = bytes.toString("hex", start, start + UUID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
