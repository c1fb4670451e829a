import type { Requirements } from "../requirements.ts";

export default {
  "contract.pages.password":
    "a person changes their password with the fields Current password and New password; their other sessions end",
  "facts.oauth.read-only-consent": "an admin ticks each write scope at consent, or none; reading stays",
  "facts.oauth.step-up":
    "scopes are added to a connection only for the same member, client and host, shown and confirmed; else a new one is made",
  "service.1.immediate-stop":
    "revocation, removal, demotion and the plan's loss of assistants act at once, in every process, on whatever is under way",
  "facts.oauth.key-rotation":
    "a new signing key signs once every process knows it, and the one it replaced checks until its tokens have expired",
  "facts.oauth.long-session": "in eight hours tokens expire and are refreshed, keys rotate, and nobody is asked again",
} satisfies Requirements;
