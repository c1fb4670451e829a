import type { Requirements } from "../requirements.ts";

export default {
  "completions.7.stripe-link": "a Stripe Payment Link for the exact amount, one completion only, carrying our link id",
  "completions.7.stripe-webhook": "a payment is confirmed by a webhook whose signature is proved",
  "completions.7.stripe-late": "an opened checkout can still complete after a link was withdrawn, and is told of",
  "completions.5.minor-units":
    "amount_minor is in the ISO 4217 minor unit; the provider's exceptions stay in its gateway",
  "facts.stripe.idempotency": "a link asked for twice with one key is one link, whatever happened in between",
  "facts.stripe.errors": "each way Stripe fails is told apart, and nothing it says reaches a caller",
  "facts.stripe.quiet": "the library sends no telemetry and prints no notices",
  "facts.stripe.wire":
    "form encoding, authorization, version, idempotency key and account header are as Stripe takes them",
  "completions.7.sandbox": "the sandbox's pay pages and payments cannot be made up by anyone but the service",
} satisfies Requirements;
