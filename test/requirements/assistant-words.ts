import type { Requirements } from "../requirements.ts";

export default {
  "completions.3.fields-once":
    "customers by how late they pay come once each where only names and payment history are asked for, and limit counts them",
  "completions.3.sent":
    'null for an optional argument counts as left out, and "" where empty text has no meaning; JSON text of a list, object, integer or boolean is taken where it has exactly one reading',
  "completions.3.input-schemas":
    "Input schemas keep to what clients are known to take: [0-9] and not \\d, no lookarounds, $ref, anyOf or lists of types",
  "completions.3.fields":
    "lists answer the row fields asked for, the row's key always, an amount's currency with it, and all else as it was but totals of amounts nobody asked for",
  "facts.mcp.token-budget":
    "names, descriptions and arguments of all tools ≤ 5,500 tokens, tools/list ≤ 13,000, instructions ≤ 500",
} satisfies Requirements;
