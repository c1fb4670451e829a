import { quotable } from "../../quotable.ts";
import { PaymentProviderError, type PaymentProviderErrorKind } from "../error.ts";
import { stripeSdk } from "./client.ts";

/** Stripe's error codes that mean the same for every request. */
const BY_CODE: Readonly<Record<string, readonly [PaymentProviderErrorKind, string]>> = {
  amount_too_small: ["amount_too_small", "The amount is below the least Stripe charges in this currency."],
  amount_too_large: ["amount_too_large", "The amount is above the most Stripe charges in this currency."],
  resource_missing: ["not_found", "Stripe has no such payment link."],
};

/** What the library threw, in the service's words; `secrets` are blotted out of what is quoted. */
export function toProviderError(error: unknown, secrets: readonly string[]): PaymentProviderError {
  if (error instanceof PaymentProviderError) return error;
  const detail = detailOf(error, secrets);
  const { errors } = stripeSdk();
  if (!(error instanceof errors.StripeError))
    return new PaymentProviderError("rejected", "Stripe's answer cannot be used.", { detail, effectUnknown: true });
  const replayed = error.headers?.["idempotent-replayed"] === "true";
  const failed = (kind: PaymentProviderErrorKind, publicMessage: string, effectUnknown = false) =>
    new PaymentProviderError(kind, publicMessage, { detail, effectUnknown, replayed });

  if (error instanceof errors.StripeAuthenticationError)
    return failed("authentication_failed", "Stripe refused the secret key.");
  if (error instanceof errors.StripePermissionError)
    return failed("authentication_failed", "Stripe does not let this key do what the service needs.");
  if (error instanceof errors.StripeConnectionError)
    return failed("unreachable", "Stripe cannot be reached, or did not answer in time.", true);
  if (error instanceof errors.StripeRateLimitError) return failed("unreachable", "Stripe is limiting requests.");
  if (error instanceof errors.StripeIdempotencyError)
    return failed("idempotency_conflict", "The key was used for another request to Stripe.", true);
  if (error instanceof errors.StripeInvalidRequestError) {
    const known = BY_CODE[error.code ?? ""];
    if (known !== undefined) return failed(...known);
    if (/(^|\[)currency\]?$/.test(error.param ?? ""))
      return failed("currency_not_supported", "Stripe cannot charge this currency.");
    return failed("rejected", "Stripe refused the request.");
  }
  // 5xx, 409 (the key is in use at this moment), and answers that are not JSON, as of a proxy.
  if (error instanceof errors.StripeAPIError) return failed("unreachable", "Stripe is failing.", true);
  return failed("rejected", "Stripe refused the request.");
}

function detailOf(error: unknown, secrets: readonly string[]): string {
  const stripe = error instanceof stripeSdk().errors.StripeError ? error : undefined;
  const said = [
    stripe?.statusCode,
    stripe?.rawType,
    stripe?.code,
    stripe?.param,
    error instanceof Error ? error.message : "unknown",
    stripe?.requestId,
  ];
  const text = said.filter((part) => part !== undefined && part !== "").join(" ");
  const blotted = secrets.reduce((line, secret) => line.replaceAll(secret, "…"), text);
  return quotable(blotted.replace(/\b(sk|rk|pk|whsec)_[\w*]+/g, "$1_…"));
}
