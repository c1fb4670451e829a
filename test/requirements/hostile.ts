import type { Requirements } from "../requirements.ts";

export default {
  "facts.mcp.outside-text":
    "text from outside is field values without unseen characters, short, in no error, prompt or description, escaped in pages",
  "facts.mcp.inert-text":
    "images, links and markup in texts from outside are plain letters where a chat shows a text answer as Markdown; the data is unchanged",
} satisfies Requirements;
