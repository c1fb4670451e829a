import {
  mintKey,
  type PaymentGateway,
  PaymentProviderError,
  type ProviderLink,
} from "../../../gateways/payments/gateway.ts";
import type { PaymentIntegrationRow } from "../../../store/tables/payments.ts";
import type { Core } from "../../gate/dependencies.ts";
import type { CallRequest } from "../../gate/run-context.ts";
import { workStep } from "../../gate/work-step.ts";
import { ServiceError } from "../../kernel/error.ts";
import { wayOf } from "../../provider-access/gateway-access.ts";
import { integrationsOf } from "../../provider-access/integration-queries.ts";
import { reservationLinks, type StoredLink } from "../link-queries.ts";

/** A provider keeps the failure of a key for a day; this many keys are tried at once before it is left for later. */
const ROUNDS = 3;

/** The outcome of a reservation at the provider, by our ids of its links. */
export interface MintOutcome {
  readonly minted: ReadonlyMap<string, ProviderLink>;
  /** Maybe there all the same. */
  readonly unclear: ReadonlySet<string>;
  /** Why the rest never will be; null when all are there. */
  readonly refusal: ServiceError | null;
  /** Which link was refused so. */
  readonly refusedLinkId: string | null;
}

/** What is not known of: whether the provider did it. The same again finds out. */
export class UnclearMint extends ServiceError {
  constructor(cause: unknown) {
    super("internal_error", "The payment provider did not answer. Send the same request with the same key again.", {
      cause,
      internal: cause instanceof Error ? cause.message : "unknown",
    });
  }
}

/**
 * Makes the links of a reservation at their provider, all at once and with no transaction open; one that is there already
 * is not made again. `again` says that it was tried before: then what is refused now may have been made all the same.
 * Throws {@link UnclearMint} when nobody can tell of some whether they were made.
 */
export async function mintReservation(
  core: Core,
  tenantId: string,
  reservationId: string,
  { again = false, onProgress }: { again?: boolean | undefined; onProgress?: CallRequest["onProgress"] } = {},
): Promise<MintOutcome> {
  const { links, integrations } = await lookAtReservation(core, tenantId, reservationId);
  const reserved = links.filter((link) => link.state === "reserved");
  const minted = new Map<string, ProviderLink>();
  const unclear = new Map<string, unknown>();
  const refused = new Map<string, ServiceError>();
  const attempt = async (link: StoredLink) => {
    try {
      minted.set(link.payment_link_id, await mint(gatewayFor(core, link, integrations), link));
    } catch (error) {
      if (isUnclear(error)) unclear.set(link.payment_link_id, error);
      else refused.set(link.payment_link_id, refusalOf(error));
    }
    const done = minted.size + unclear.size + refused.size;
    onProgress?.({ done, total: reserved.length, message: `${minted.size} of ${reserved.length} links made` });
  };
  await Promise.all(reserved.map(attempt));
  // Once one is refused for good nothing is waited for: all of them are withdrawn.
  const [doubt] = unclear.values();
  const [[refusedLinkId, refusal] = [null, null]] = refused;
  if (doubt !== undefined && refusal === null) throw new UnclearMint(doubt);
  const maybe = [...unclear.keys(), ...(again ? refused.keys() : [])];
  return { minted, unclear: new Set(maybe), refusal, refusedLinkId };
}

const lookAtReservation = workStep({
  in: "workspace",
  async run({ tx, tenantId }, reservationId: string) {
    const links = await reservationLinks(tx, tenantId, reservationId);
    const used = links.map((link) => link.payment_integration_id);
    return { links, integrations: await integrationsOf(tx, tenantId, used) };
  },
});

function gatewayFor(core: Core, link: StoredLink, integrations: readonly PaymentIntegrationRow[]) {
  const { gateway, isForgotten } = wayOf(core, link, integrations);
  if (gateway !== null && !isForgotten) return gateway;
  throw new ServiceError("integration_unavailable", "The payments integration was disconnected.");
}

/**
 * Mints with the link's own key, so that repeating it finds the link. Where the provider only repeats an earlier failure
 * to that key, and has no such link, the next key is tried.
 */
async function mint(gateway: PaymentGateway, link: StoredLink) {
  const linkId = link.payment_link_id;
  const request = { linkId, amountMinor: BigInt(link.amount_minor), currency: link.currency };
  for (let round = 1; ; round += 1) {
    try {
      const idempotencyKey = mintKey(linkId, round);
      return await gateway.mintLink({ ...request, description: link.description, idempotencyKey });
    } catch (error) {
      if (!(error instanceof PaymentProviderError && error.replayed && error.effectUnknown)) throw error;
      const { links, complete } = await gateway.findLinks(linkId);
      const [found] = links;
      if (found !== undefined) return found;
      if (!complete || round === ROUNDS) throw error;
    }
  }
}

function isUnclear(error: unknown) {
  if (error instanceof PaymentProviderError) return error.effectUnknown || error.kind === "unreachable";
  return !(error instanceof ServiceError);
}

/** What a caller is told of a provider's refusal (service.md §7). */
function refusalOf(error: unknown) {
  if (error instanceof ServiceError) return error;
  if (!(error instanceof PaymentProviderError)) throw error;
  const { kind, publicMessage, message: internal } = error;
  const isOfAmount = kind.startsWith("amount_");
  const code =
    kind === "currency_not_supported" ? kind : isOfAmount ? "validation_failed" : ("integration_unavailable" as const);
  const details = isOfAmount ? { details: [{ field: "amount_minor", message: publicMessage }] } : {};
  return new ServiceError(code, publicMessage, { ...details, internal, cause: error });
}
