import type { Requirements } from "../requirements.ts";

export default {
  "facts.mcp.outside-text":
    "text from outside is field values without unseen characters, short, in no error, prompt or description, escaped in pages",
} satisfies Requirements;
