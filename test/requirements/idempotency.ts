import type { Requirements } from "../requirements.ts";

export default {
  "service.8.idempotency-replay":
    "the same key and body returns the original result, marked, and does not execute again",
  "service.8.idempotency-conflict": "the same key with a different body is idempotency_conflict",
  "service.8.idempotency-key":
    "a missing key, or one that is not 1 to 255 printable ASCII, is idempotency_key_required",
  "service.8.idempotency-failure": "what failed stores nothing",
  "service.8.idempotency-scope": "a key belongs to one caller of one tenant and one operation",
  "service.8.idempotency-lifetime": "keys expire after 24 hours",
  "service.8.idempotency-concurrent": "a concurrent identical request executes once",
} satisfies Requirements;
