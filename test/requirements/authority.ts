import type { Requirements } from "../requirements.ts";

export default {
  "facts.oauth.read-only-consent": "an admin can untick each write scope at consent; reading stays",
  "facts.oauth.step-up":
    "scopes are added to a connection only for the same member, client and host, shown and confirmed; else a new one is made",
  "service.1.immediate-stop":
    "revocation, removal, demotion and the plan's loss of assistants act at once, in every process, on whatever is under way",
} satisfies Requirements;
