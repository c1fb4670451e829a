import type { Requirements } from "../requirements.ts";

export default {
  "facts.inputs.bounded": "no text, list or file of a caller is taken without an end, in any operation",
  "facts.inputs.pieces": "a body takes no more memory in small pieces than at once",
  "facts.inputs.pipelined": "a connection has eight requests at work at most",
  "facts.inputs.constant": "what is the same for everybody is read and compressed once",
  "facts.inputs.kept":
    "every operation refuses a text that no store can keep (a NUL character, half of a character), naming the field",
  "isolation.transactions":
    "a transaction reads what is there as it begins, holds nothing once it is over, and is not committed where a statement failed",
  "isolation.walls": "a query that forgets the tenant, or asks for another's rows, gets nothing on either store",
  "service.1.money": "decimal amounts are exact strings, never floats",
  "service.2.money-form": "a money string is an optional minus sign, digits, and optional fractional digits",
  "service.2.9.error-object": "errors are { error: { code, message, request_id, details? } }",
  "service.4.1.cursor": "a bad or mismatched cursor is invalid_cursor",
  "service.5.2.readonly-key": "a readonly key may call only operations without side effects",
  "service.7.codes": "every error code has the HTTP status and retry advice of the table",
  "service.8.cursor-length": "cursors are at most 400 characters",
  "completions.1.actor": "an admin operation needs an admin key, or a member who is admin now and holds its scope",
  "completions.1.audit": "every mutation leaves one audit entry in its own transaction",
  "completions.5.minor-units": "minor units follow ISO 4217: 0, 2 or 3 digits",
  "completions.9.rounded-down": "what is finer than the minor unit is rounded down",
  "contract.environment": "settings are read and checked in one place; a bad one ends the start with one line",
  "contract.encryption-key": "the embedded store makes its own encryption key, kept private and kept for good",
  "facts.registry.manifest": "server.json is valid against the registry's schema and is served with the real address",
} satisfies Requirements;
