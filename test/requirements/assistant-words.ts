import type { Requirements } from "../requirements.ts";

export default {
  "completions.3.fields": "lists answer the row fields asked for, the row's key always, and all else as it was",
  "facts.mcp.token-budget":
    "names, descriptions and arguments of all tools ≤ 5,500 tokens, tools/list ≤ 13,000, instructions ≤ 500",
} satisfies Requirements;
