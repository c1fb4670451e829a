import type { Requirements } from "../requirements.ts";

export default {
  "completions.6.confirmed": "a confirmed payment moves the figures of its invoice and installment at once",
  "completions.9.tool-key": "a tool call without a well-formed idempotency_key is validation_failed naming it",
  "service.8.outside-replay": "what reaches beyond the store is done once for a key, and answered alike again",
  "service.8.outside-concurrent": "a concurrent identical request to what reaches beyond the store is a conflict",
  "service.8.outside-resume": "a request repeated after a crash goes on with what it had reserved",
  "service.8.outside-failure": "what was refused beyond the store is withdrawn and stores nothing under its key",
  "completions.1.outside-actor": "whoever loses access while a request is at work leaves no effect of it",
  "service.7.not_found": "an invoice or installment that is missing, another's or another tenant's is not_found",
  "service.7.integration_unavailable":
    "a provider that is not connected, not ready or refuses is integration_unavailable",
  "service.7.validation_failed": "a malformed or unknown field of a link is validation_failed naming it",
  "service.5.2.links": "creating links needs an admin key, or an admin with the scope",
  "service.3.4.configured": "an invoice's first link configures its open task; later links change nothing",
  "service.2.3.active-link": "has_active_payment_link follows the links, and updated_at does not move",
  "completions.1.link-audit": "each call that issues or withdraws links leaves one audit entry of who did it and how",
  "completions.4.link": "a payment link has just the fields of completions §4",
  "completions.4.email-withdrawn": "a withdrawn link's scheduled email is cancelled, one that was sent stays",
  "completions.5.create": "createPaymentLink answers 201 with the link",
  "completions.5.collectible": "a link is refused unless its installment is collectible, the currency apart",
  "completions.5.available": "a link asks for no more than is available",
  "completions.5.batch": "1 to 12 links at once; details name each that is at fault",
  "completions.5.batch-shares": "links of one batch on one installment share what is available",
  "completions.5.all-or-nothing": "one link refused by the provider refuses all, and those made are withdrawn",
  "completions.5.concurrent": "two callers together never exceed what is available",
  "completions.5.retry": "a request repeated after whatever failure gets its one link",
  "completions.5.wrong-clock": "what a clock that was wrong put off by days is settled once the clock is right",
  "completions.5.reconciled":
    "what was left hanging is finished by the reconciler: no link without a row, no row without one",
  "completions.5.overtaken":
    "a hanging reservation of an installment that cannot be collected any more is withdrawn, unless it was paid",
  "completions.5.withdrawn": "a withdrawal is told to the provider until it hears",
  "completions.5.given-up": "a reservation nobody could finish is given up before the provider forgets its key",
  "completions.5.deactivate": "deactivating withdraws a link for good; again changes nothing",
  "completions.5.deactivate-paid": "deactivating a paid link is a conflict, a missing one not_found",
  "completions.9.order": "a refused link tells the first reason that holds, in the order of completions §9",
  "completions.9.rounding": "what is left is rounded down to what can be charged",
  "contract.stripe.request": "a link is asked of Stripe for the exact amount, once, under its own key",
  "completions.6.once": "each payment counts once, however often, late or in whatever order it is told",
  "completions.6.failed-debit":
    "a link whose one completion failed is withdrawn, what it asked for is available again, and a late payment counts",
  "completions.6.delayed": "a payment counts once the provider has the money",
  "completions.6.covered": "links that ask for more than a payment has left are withdrawn",
  "completions.12.failed-mail":
    "a failed mail says why, and is scheduled again by a new address and by hand; what was sent never goes out again",
  "completions.12.fell-below-paid":
    "an invoice that is voided, or falls in the ERP, below what was paid through links is told to people with its payments",
  "completions.12.link-currency":
    "a link in another currency than its debt is withdrawn; a payment in another currency ends its link and needs a person",
  "completions.12.no-link-outlives":
    "whatever makes an installment owe less than its live links ask, or not collectible for a reason of the ERP's, withdraws the links that ask too much, here and at the provider",
  "completions.7.late": "a late confirmation is recorded, whatever has become of the link or its integration",
  "completions.7.amount": "the amount of a payment is the provider's, not the link's",
  "completions.7.currency": "money in another currency moves no figure and is told to people",
  "completions.7.refused-once": "a refused payment leaves one audit entry, however often it is told",
  "completions.7.stranger": "a payment of no link of the workspace is let be",
  "completions.7.refund": "refunds and disputes change no figure",
  "completions.7.mail-country": "mails in English write amounts and dates as the workspace's country does",
  "completions.7.pay-page":
    "the sandbox's page names invoice, due date, company and contact, then date, amount and reference; a withdrawn link says whom to ask",
  "completions.7.sandbox": "the sandbox's page shows amount and invoice, and takes Pay and Decline",
  "contract.stripe.webhook": "what was taken in is answered with success, all else is sent again",
  "contract.stripe.signature": "a notification counts only with a fresh signature of Stripe's over its very bytes",
  "completions.4.integration": "an integration has just the fields of completions §4, and shows no key",
  "completions.5.integration": "a link is made by a connected integration that charges its currency",
  "completions.5.list-links": "links are listed newest first by invoice, installment and status; reservations are none",
  "completions.5.list-payments":
    "payments are listed by confirmed_since (inclusive), invoice, customer, connection and push",
  "completions.5.confirmed-since":
    "polling by the newest confirmed_at seen misses no payment, whatever the order transactions end in and clocks differ by",
  "completions.7.sandbox-off": "there is no sandbox where the service has none",
  "contract.stripe.keys": "keys are encrypted; a disconnected integration keeps only what proves notifications",
  "contract.stripe.account": "an integration is connected for an account that may charge its currencies",
} satisfies Requirements;
