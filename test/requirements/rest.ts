import type { Requirements } from "../requirements.ts";

export default {
  "service.2.1.last-used":
    "api_key.last_used_at is the previous use of this key: the request before, whatever it was answered, exactly",
  "service.5.1.bearer": "a request is authenticated by Authorization: Bearer <API_KEY>",
  "service.5.4.failures": "missing, invalid, revoked credentials and a tier without access each have their code",
  "service.5.4.no-oracle": "no answer tells whether a key exists",
  "service.8.key-limit": "120 requests per key and minute, exact when they come at once",
  "service.8.tenant-limit": "600 requests per tenant and minute over all its keys",
  "completions.8.failed-attempts":
    "20 failed authentications per source address in 5 minutes, then 429 for further failures; genuine keys are served",
  "contract.rate-limits-off": "RATE_LIMITS=off lifts the limits per minute, and the headers stay",
  "service.1.tenant": "no input addresses another tenant; another tenant's id behaves like a missing one",
  "service.4.contract": "every operation answers every caller with the status, code and schema of its description",
  "service.5.6.source-address": "failures are counted by source address, behind a proxy only by a trusted one's word",
  "service.4.2.endpoints": "every endpoint of the table is served with its permission",
  "service.9.description":
    "openapi.json is a valid OpenAPI 3.1 document that tells each operation's permission and side effects",
  "service.9.generators":
    "clients that generators make of the description compile under --strict and call the service as they are",
  "service.9.examples": "the examples of the description can occur: sums, states, dates, counts and ids agree",
  "completions.13.described":
    "every operation, parameter, body, header, property and value of openapi.json is described in a sentence",
  "service.9.reference": "the reference shows which key each operation takes, and its side effects",
  "completions.13.guides.totals":
    "what the guide says lies between aging, open invoices and all invoices adds up to the cent, in every workspace and currency of the demo",
  "completions.13.guides":
    "the guides' commands work and answer what is shown; every link and search result leads to its place",
  "service.9.samples": "the reference's samples are requests that the service takes, and compile with a client's types",
  "service.9.additive": "answers may gain fields, and no change of the description goes unseen",
  "service.2.9.request-id": "request_id echoes X-Request-Id, which every response carries",
  "service.4.headers": "every response carries RateLimit-* headers, errors too",
  "service.7.paths": "unknown paths are 404 not_found",
  "service.7.method": "a path without that method is 405 with Allow",
  "service.7.validation":
    "schema violations and unknown parameters are validation_failed with details naming each field",
  "service.7.media-type": "a body of another type is 415",
  "service.8.body-size": "a body over 64 KiB is 413",
  "completions.13.etag":
    "single reads and aging answer an ETag, and 304 without a body where If-None-Match names it by weak comparison (RFC 9110 §13.1.2); lists and refusals have none",
  "completions.13.etag-fields":
    "the ETag of an aging report is another one whenever a field of it is, and the same while none is",
  "completions.13.etag-cost": "an aging report that the caller has is not computed",
  "service.7.conflict-retry": "a conflict has Retry-After where a retry helps, which the description says and declares",
  "service.4.1.walk": "rows that existed throughout a walk appear exactly once, whatever changes meanwhile",
  "service.4.3.me": "/v1/me tells the tenant, the key and its previous use",
  "service.4.6.start":
    "a sync is reserved and dispatched at once, 202 running; one in flight per connection, else conflict",
  "service.4.6.refusals": "sync_disabled, connection_disconnected; an expired credential is accepted",
  "service.4.7.schedule": "the schedule is set and the updated connection answered; off keeps the interval",
  "service.4.9.dismiss": "open and configured tasks are dismissed, again changes nothing",
  "service.5.4.revocation": "a revocation acts on the next call",
  "completions.5.push-mode": "the payment-push mode of a connection is automatic or held",
  "completions.9.not-needed": "dismissing a not_needed task is a conflict",
  "service.1.routes": "both routes answer the same tenant's reads and errors alike",
  "completions.13.single-reads":
    "payments, tasks, ERP connections and workflows are read one by one, as lists have them",
  "service.7.total":
    "whatever is sent, the answer is one of the described ones, never a 500, and the store stays sound",
} satisfies Requirements;
