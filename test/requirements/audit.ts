import type { Requirements } from "../requirements.ts";

export default {
  "completions.1.audit.page":
    "an admin sees who did what, through which assistant or key, on what, when, with which outcome and in which request",
  "completions.1.audit.labels":
    "payments, links, invoices and items for people are called in the trail by number, customer and amount, and what was done to a receipt is told",
  "completions.1.audit.pages": "the trail is walked newest first, each entry once, whatever is added meanwhile",
  "completions.1.audit.filters": "the trail is narrowed by person, connection and operation",
  "completions.1.audit.admins": "a trail is for the admins its workspace has now, and tells of no other workspace",
  "completions.7.integrations.page":
    "an admin connects and disconnects payment providers on a page; their keys are never shown again",
} satisfies Requirements;
