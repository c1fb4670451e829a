import { PaymentProviderError } from "../gateway.ts";
import asIso from "./as-iso.json" with { type: "json" };

/** How a currency is counted: one ISO 4217 minor unit is `numerator / denominator` of Stripe's smallest unit. */
interface Counting {
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** What Stripe's figure has to be a multiple of. */
  readonly multipleOf: bigint;
}

const AS_ISO: Counting = { numerator: 1n, denominator: 1n, multipleOf: 1n };

/** Stripe's documentation of currencies, against ISO 4217. Whether an account may charge one is Stripe's to say. */
const COUNTINGS: ReadonlyArray<readonly [Counting, string]> = [
  [AS_ISO, asIso.join(" ")],
  // Three decimals, of which the last has to be 0.
  [{ numerator: 1n, denominator: 1n, multipleOf: 10n }, "BHD JOD KWD OMR TND"],
  // No decimals in ISO; two at Stripe, for old times' sake, and these always 00.
  [{ numerator: 100n, denominator: 1n, multipleOf: 100n }, "ISK UGX"],
  // Two decimals in ISO, none at Stripe.
  [{ numerator: 1n, denominator: 100n, multipleOf: 1n }, "MGA"],
];

const BY_CODE: ReadonlyMap<string, Counting> = new Map(
  COUNTINGS.flatMap(([counting, codes]) => codes.split(/\s+/).map((code) => [code, counting] as const)),
);

/** The ISO codes Stripe is known to count, sorted. */
export const STRIPE_CURRENCIES: readonly string[] = [...BY_CODE.keys()].sort();

/** What an ISO amount has to be a multiple of for Stripe to charge it exactly; null for a code Stripe does not know. */
export function stripeStep(currency: string) {
  const counting = BY_CODE.get(currency);
  if (counting === undefined) return null;
  const { numerator, denominator, multipleOf } = counting;
  return multipleOf > numerator ? multipleOf / numerator : denominator;
}

/** ISO 4217 minor units as Stripe's API counts. Throws `currency_not_supported` and the kinds about amounts. */
export function toStripeAmount(amountMinor: bigint, currency: string) {
  const step = stripeStep(currency);
  const counting = BY_CODE.get(currency);
  if (step === null || counting === undefined) throw notSupported();
  if (amountMinor <= 0n) throw new PaymentProviderError("amount_too_small", "The amount has to be above zero.");
  if (amountMinor % step !== 0n)
    throw new PaymentProviderError(
      "amount_not_expressible",
      `Stripe charges ${currency} in steps of ${step} minor units only.`,
    );
  return (amountMinor * counting.numerator) / counting.denominator;
}

/** The reverse; throws `currency_not_supported`, and `amount_not_expressible` for a fraction of a minor unit. */
export function fromStripeAmount(amount: bigint, stripeCurrency: string) {
  const currency = stripeCurrency.toUpperCase();
  const counting = BY_CODE.get(currency);
  if (counting === undefined) throw notSupported();
  const scaled = amount * counting.denominator;
  if (scaled % counting.numerator !== 0n)
    throw new PaymentProviderError("amount_not_expressible", "Stripe's amount has a fraction of a minor unit.");
  return { amountMinor: scaled / counting.numerator, currency };
}

function notSupported() {
  return new PaymentProviderError("currency_not_supported", "Stripe cannot charge this currency.");
}
