import type { Requirements } from "../requirements.ts";

export default {
  "completions.6.confirmed": "a confirmed payment moves the figures of its invoice and installment at once",
  "completions.9.tool-key": "a tool call without a well-formed idempotency_key is validation_failed naming it",
  "service.8.outside-replay": "what reaches beyond the store is done once for a key, and answered alike again",
  "service.8.outside-concurrent": "a concurrent identical request to what reaches beyond the store is a conflict",
  "service.8.outside-resume": "a request repeated after a crash goes on with what it had reserved",
  "service.8.outside-failure": "what was refused beyond the store is withdrawn and stores nothing under its key",
  "completions.1.outside-actor": "whoever loses access while a request is at work leaves no effect of it",
} satisfies Requirements;
