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
} satisfies Requirements;
