import { OutsideError } from "../outside-error.ts";

/**
 * Why a payment provider did not do what was asked.
 * - `authentication_failed`: it refused the credentials (or what they may do); a person has to act.
 * - `unreachable`: no answer, too late, too busy or failing; the same request may go well later.
 * - `currency_not_supported`, `amount_too_small`, `amount_too_large`: this cannot be charged.
 * - `amount_not_expressible`: the provider's smallest unit is coarser than the amount (`chargeStep`).
 * - `not_found`: it has no such link.
 * - `idempotency_conflict`: the key was used for another request.
 * - `signature_invalid`: a notification that is not proved to be the provider's, or is too old.
 * - `rejected`: anything else it said no to, or answered in a way that cannot be used.
 */
export type PaymentProviderErrorKind =
  | "authentication_failed"
  | "unreachable"
  | "currency_not_supported"
  | "amount_too_small"
  | "amount_too_large"
  | "amount_not_expressible"
  | "not_found"
  | "idempotency_conflict"
  | "signature_invalid"
  | "rejected";

interface Details {
  readonly detail?: string;
  readonly effectUnknown?: boolean;
  readonly replayed?: boolean;
}

/** A failed call to a payment provider. */
export class PaymentProviderError extends OutsideError<PaymentProviderErrorKind> {
  override readonly name = "PaymentProviderError";
  /** True when the provider may have done it all the same; false when it certainly did not. */
  readonly effectUnknown: boolean;
  /** True when this is the provider's stored answer to an earlier attempt: the same key will get it again. */
  readonly replayed: boolean;

  constructor(kind: PaymentProviderErrorKind, publicMessage: string, details: Details = {}) {
    super(kind, publicMessage, details.detail);
    this.effectUnknown = details.effectUnknown ?? false;
    this.replayed = details.replayed ?? false;
  }
}
