import type { Requirements } from "../requirements.ts";

export default {
  "facts.oauth.client-flows":
    "Claude, ChatGPT, VS Code, Cursor, Inspector and others, as they describe themselves, get from nothing to refreshed tokens",
  "facts.mcp.server-conformance":
    "the official conformance suite for servers passes for 2025-06-18, in its stable and its newest release",
} satisfies Requirements;
