import type { Requirements } from "../requirements.ts";

export default {
  "completions.1.upstream-sign-in": "a person signs in at the workspace's OpenID Connect provider",
  "facts.oauth.external-connection":
    "a connection of an external issuer is recorded once, at first use, by issuer, subject and client or session",
  "facts.oauth.external-email": "an email links a person only where that is switched on, verified and unambiguous",
  "facts.oauth.external-flow":
    "the official client connects through an external issuer, starting from the address alone",
  "facts.oauth.external-metadata":
    "with an external issuer the metadata names it, and nothing of our own server is served",
  "facts.oauth.external-introspection": "opaque tokens are introspected at every call, with the same demands",
  "facts.oauth.external-keys": "unknown key ids cause no refetch within the cooldown",
  "facts.oauth.external-link": "a token speaks for the member its subject is linked to, and for nobody without a link",
  "facts.oauth.external-member": "role and membership are those of the moment of the call, whatever the token says",
  "facts.oauth.external-relaxed":
    "the relaxed profile checks issuer, audience, algorithm, times, subject, client and cnf",
  "facts.oauth.external-scope": "a token without the scope to read is answered insufficient_scope",
  "facts.oauth.external-tenant": "a person of several workspaces is let into the one a claim names, or into none",
  "facts.oauth.external-token": "forged, misdirected, bound and incomplete tokens are invalid",
  "facts.oauth.external-unavailable": "an issuer that does not answer lets nobody in",
  "facts.oauth.sticky-block": "a revocation stops newer tokens too, until somebody allows them again",
  "facts.oauth.upstream-binding": "an upstream sign-in is bound to browser, workspace, state and time, and good once",
  "facts.oauth.upstream-failures": "a failed upstream sign-in is explained and tells nothing of who is a member",
  "facts.oauth.upstream-link": "a person is linked once, by a verified email of a member or by an operator",
  "facts.oauth.upstream-provider": "a provider's secret is encrypted, and its sessions end with it",
  "facts.oauth.upstream-unlink":
    "with a link its sessions end, what its member approved, and a sign-in that is under way",
  "facts.oauth.upstream-workspace": "a provider vouches for members of its own workspace, in that workspace alone",
} satisfies Requirements;
