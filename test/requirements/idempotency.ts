import type { Requirements } from "../requirements.ts";

export default {
  "service.8.idempotency-replay":
    "the same key and body returns the original result, marked, and does not execute again",
  "service.8.idempotency-conflict": "the same key with a different body is idempotency_conflict",
  "service.8.idempotency-key":
    "a missing key, or one that is not 1 to 255 printable ASCII, is idempotency_key_required",
  "service.8.idempotency-failure": "what failed stores nothing",
  "completions.10.idempotency-workspace":
    "a key belongs to the workspace for API keys: a retry with the new key after a rotation replays, or goes on",
  "completions.10.idempotency-connection": "and to the connection for assistants",
  "completions.10.idempotency-operation": "the same key on another operation is idempotency_conflict",
  "service.8.idempotency-lifetime": "keys expire after 24 hours",
  "service.8.idempotency-concurrent": "a concurrent identical request executes once",
} satisfies Requirements;
