import type { ErrorCode } from "../../kernel/error.ts";
import { type Money, toMinor } from "../../kernel/money.ts";
import { readableMinor } from "../../mail/readable.ts";
import type { LinkedInstallment } from "../link-queries.ts";

/** Why no such link can be made, and which of its fields is at fault. */
export interface Ineligibility {
  readonly code: ErrorCode;
  readonly message: string;
  readonly onPage?: string;
  readonly field: "invoice_id" | "installment_id" | "amount_minor";
}

const COLLECTIBLE_BUT: Readonly<
  Record<Exclude<LinkedInstallment["not_collectible_reason"], null | "currency_not_supported">, string>
> = {
  retired: "The ERP no longer has the invoice.",
  removed: "The installment is no longer part of the invoice.",
  not_finalised: "The invoice is not finalised in the ERP.",
  closed: "The installment is closed in the ERP.",
  excluded: "The installment is excluded from collection.",
  disputed: "The installment is disputed.",
  nothing_outstanding: "The installment has nothing outstanding.",
  no_billing_email: "The customer has no billing email.",
};

/** The first of completions §9's reasons that is about the installment only; null where no reason holds. */
export function ineligibilityOf(
  { not_collectible_reason: reason }: Pick<LinkedInstallment, "not_collectible_reason">,
  connected: boolean,
): Ineligibility | null {
  if (reason !== null && reason !== "currency_not_supported")
    return { code: "installment_not_collectible", message: COLLECTIBLE_BUT[reason], field: "installment_id" };
  if (!connected)
    return {
      code: "integration_unavailable",
      message: "No payments integration is connected.",
      field: "installment_id",
    };
  return reason === null ? null : CURRENCY_NOT_SUPPORTED;
}

/** No connected integration charges the invoice's currency, or it has none (service.md §7). */
export const CURRENCY_NOT_SUPPORTED: Ineligibility = {
  code: "currency_not_supported",
  message: "No connected payment provider charges the currency.",
  field: "invoice_id",
};

/** Another ERP may give the invoice's id to another one, which the link would be for then. */
export const ERP_MOVED: Ineligibility = {
  code: "conflict",
  message:
    "The invoice's ERP was moved to another address and has yet to be synced there, so nobody knows whether it is the same invoice.",
  field: "invoice_id",
};

/** Live links that one installment may have: asking in small parts is no way to send a customer hundreds. */
const MAX_LIVE_LINKS = 12;

/** The live links of an installment, those of the same request too, of which there are no ids yet. */
export interface Live {
  readonly minor: bigint;
  readonly count: number;
  readonly ids: readonly string[];
}

/** What a link takes of an installment, in minor units, or why it takes nothing (completions §5 and §9). */
export function allotment(
  { outstanding, currency, live, step }: { outstanding: Money; currency: string; live: Live; step: bigint },
  askedMinor: bigint | null,
): bigint | Ineligibility {
  const left = (toMinor(outstanding, currency) ?? 0n) - live.minor;
  if (left <= 0n)
    return {
      code: "conflict",
      ...inTheWay(live, "Live payment links cover the whole installment already."),
      field: "installment_id",
    };
  if (live.count >= MAX_LIVE_LINKS) return tooManyLinks(live);
  if (askedMinor === null) return greatestOf(left, step);
  if (askedMinor > left)
    return {
      code: "amount_exceeds_available",
      ...inTheWay(live, `More than is available, which is ${left} minor units.`),
      onPage: `More than is available, which is ${readableMinor(left, currency)}.`,
      field: "amount_minor",
    };
  if (askedMinor % step === 0n) return askedMinor;
  return {
    code: "validation_failed",
    message: `The provider charges ${currency} in steps of ${step} minor units only.`,
    field: "amount_minor",
  };
}

function tooManyLinks(live: Live): Ineligibility {
  const words = `An installment holds at most ${MAX_LIVE_LINKS} live payment links; withdraw one first.`;
  return { code: "conflict", ...inTheWay(live, words), field: "installment_id" };
}

/** Names the live links (completions §10), which a page shows beside. */
function inTheWay({ ids }: Live, words: string): { message: string; onPage: string } {
  const live = ids.length === 0 ? "" : ` Live now: ${ids.slice(0, MAX_LIVE_LINKS).join(", ")}.`;
  return { message: `${words}${live}`, onPage: words };
}

/** All that is left, as far as the provider can charge it and JSON can say it exactly. */
function greatestOf(left: bigint, step: bigint): bigint | Ineligibility {
  const chargeable = left - (left % step);
  if (chargeable > BigInt(Number.MAX_SAFE_INTEGER))
    return { code: "validation_failed", message: "Too much for one link: say how much.", field: "amount_minor" };
  if (chargeable > 0n) return chargeable;
  return {
    code: "amount_exceeds_available",
    message: "What is available is less than the provider can charge.",
    field: "amount_minor",
  };
}
