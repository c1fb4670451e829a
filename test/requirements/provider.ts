import type { Requirements } from "../requirements.ts";

export default {
  "completions.12.own-links": "a webhook secret vouches for the links of its own integration and for nothing else",
  "completions.12.shared-secret": "of integrations that share a secret, the link's own is among those that vouch",
  "completions.12.tried":
    "a notification is tried with ten integrations of its workspace at most, the one of its address and the connected one first, and with three earlier secrets of each",
  "completions.12.rotated": "a rotated webhook secret stays good for 24 hours, of a disconnected integration too",
  "completions.12.forgotten": "nothing of a forgotten integration vouches for a payment any more",
  "completions.12.livemode": "livemode of a notification must match its integration's",
  "completions.12.test-key": "connecting a test key says so at the terminal, on the page and in lists",
  "completions.12.same-account": "test and live of one account are never taken for each other",
  "completions.12.events-read": "a payment whose notification was lost is read of the provider's list of events",
  "completions.12.events-position":
    "the list is read on from where it was read to, with an overlap, past what was taken in",
  "completions.12.events-skipped": "an event that cannot be understood blocks no other",
  "completions.12.events-clock": "a clock that was wrong for a while puts no reading off for longer than an hour",
  "completions.12.events-shared": "processes share the reading; a lease is released at once where reading fails",
  "completions.12.events-refused":
    "a key that may not read events is tried hourly, and the list of integrations says so",
  "completions.12.events-disconnected": "events of a disconnected integration's links are read with its account's key",
  "completions.12.refunds":
    "refunds are on the payment, in the audit trail and in what needs a person, and move no figure",
  "completions.12.refund-failed":
    "a refund that failed or was canceled is no refund any more, in any order it is told, and people are told",
  "completions.12.refund-first": "a refund told before its payment is not lost",
  "completions.12.disputes": "disputes are seen whatever order they are told in; one that is won needs nobody",
  "completions.12.overpaid": "what is collected above what was owed needs a person",
  "completions.12.other-currency": "money in another currency needs a person",
  "completions.12.attention": "what needs a person is listed and resolved at the terminal, and opens again for more",
  "completions.12.attention.late":
    "receipts that are held, queued, or not matched by the ERP for a day are among what needs a person",
  "completions.12.attention.since": "what needs a person says since when it does, not when its payment was made",
  "completions.12.attention.advice":
    "what needs a person says what to do by its reason, with complete commands at the terminal",
  "completions.12.attention.once": "what is resolved again stays as it is, and leaves no second audit entry",
  "completions.12.paid-at": "a payment and its link are dated by the provider's instant",
  "completions.12.outstanding-before": "a payment keeps what the ERP showed as owed when it was recorded",
  "completions.12.provider-audit": "what a provider told stands in the audit trail as the provider's",
  "completions.12.checkouts": "open checkouts of a withdrawn link are expired with it",
  "facts.stripe.events": "the list of events is read oldest first, page by page, of the types that are understood",
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
