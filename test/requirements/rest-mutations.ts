import type { Requirements } from "../requirements.ts";

export default {
  "service.4.3.me": "/v1/me tells the tenant, the key and its previous use",
  "service.4.6.start":
    "a sync is reserved and dispatched at once, 202 running; one in flight per connection, else conflict",
  "service.4.6.refusals": "sync_disabled, connection_disconnected; an expired credential is accepted",
  "service.4.7.schedule": "the schedule is set and the updated connection answered; off keeps the interval",
  "service.4.9.dismiss": "open and configured tasks are dismissed, again changes nothing",
  "service.5.4.revocation": "a revocation acts on the next call",
  "completions.5.push-mode": "the payment-push mode of a connection is automatic or held",
  "completions.9.not-needed": "dismissing a not_needed task is a conflict",
} satisfies Requirements;
