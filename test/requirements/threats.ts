import type { Requirements } from "../requirements.ts";

export default {
  "facts.mcp.foreign-hosts": "a foreign Host is answered 421, a foreign Origin 403, null too",
  "facts.oauth.keys-unreachable": "where the keys of an issuer cannot be had nobody is let in, and the answer is 503",
  "facts.oauth.unknown-kid-storm": "unknown key ids cause no fetch within the cooldown",
} satisfies Requirements;
