import { PaymentProviderError } from "../gateway.ts";
import asIso from "./as-iso.json" with { type: "json" };

/** How a currency is counted: one ISO 4217 minor unit is `times / per` of Stripe's smallest unit. */
interface Counting {
  readonly times: bigint;
  readonly per: bigint;
  /** What an ISO amount has to be a multiple of for Stripe to charge it exactly. */
  readonly step: bigint;
}

/** Stripe's documentation of currencies, against ISO 4217. Whether an account may charge one is Stripe's to say. */
const COUNTINGS: ReadonlyArray<readonly [Counting, string]> = [
  [{ times: 1n, per: 1n, step: 1n }, asIso.join(" ")],
  // Three decimals, of which the last has to be 0.
  [{ times: 1n, per: 1n, step: 10n }, "BHD JOD KWD OMR TND"],
  // No decimals in ISO; two at Stripe, for old times' sake, and these always 00.
  [{ times: 100n, per: 1n, step: 1n }, "ISK UGX"],
  // Two decimals in ISO, none at Stripe.
  [{ times: 1n, per: 100n, step: 100n }, "MGA"],
];

const BY_CODE: ReadonlyMap<string, Counting> = new Map(
  COUNTINGS.flatMap(([counting, codes]) => codes.split(/\s+/).map((code) => [code, counting] as const)),
);

/** The ISO codes Stripe is known to count, sorted. */
export const STRIPE_CURRENCIES: readonly string[] = [...BY_CODE.keys()].sort();

/** What an ISO amount has to be a multiple of for Stripe to charge it exactly; null for a code Stripe does not know. */
export const stripeStep = (currency: string) => BY_CODE.get(currency)?.step ?? null;

/** ISO 4217 minor units as Stripe's API counts. Throws `currency_not_supported` and the kinds about amounts. */
export function toStripeAmount(amountMinor: bigint, currency: string) {
  const { times, per, step } = countingOf(currency);
  if (amountMinor <= 0n) throw new PaymentProviderError("amount_too_small", "The amount has to be above zero.");
  if (amountMinor % step !== 0n)
    throw new PaymentProviderError(
      "amount_not_expressible",
      `Stripe charges ${currency} in steps of ${step} minor units only.`,
    );
  return (amountMinor * times) / per;
}

/** The reverse; throws `currency_not_supported`, and `amount_not_expressible` for a fraction of a minor unit. */
export function fromStripeAmount(amount: bigint, stripeCurrency: string) {
  const currency = stripeCurrency.toUpperCase();
  const { times, per } = countingOf(currency);
  const scaled = amount * per;
  if (scaled % times !== 0n)
    throw new PaymentProviderError("amount_not_expressible", "Stripe's amount has a fraction of a minor unit.");
  return { amountMinor: scaled / times, currency };
}

function countingOf(currency: string) {
  const counting = BY_CODE.get(currency);
  if (counting !== undefined) return counting;
  throw new PaymentProviderError("currency_not_supported", "Stripe cannot charge this currency.");
}
