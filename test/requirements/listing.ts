import type { Requirements } from "../requirements.ts";

export default {
  "listing.name":
    "an installation is named by its own host backwards, or as configured, in server.json and in initialize",
  "listing.manifest-check":
    "a manifest that our check passes is valid by the registry's schema, and what the schema does not catch is refused",
  "listing.proof": "the registry's proof is served where it is configured and valid, and 404 otherwise",
  "listing.commands": "operators make a key, see what to publish and how, and learn what the registry would refuse",
  "listing.llms": "/llms.txt links to documents that there are and names the tools and skills",
  "listing.icons": "/favicon.ico and the icons of the manifest are images",
  "listing.addresses": "privacy, terms and support addresses are on the set-up and consent pages and in the metadata",
  "listing.directories": "what the Claude and ChatGPT directories ask of a server, where a machine can check it, holds",
  "listing.skills": "each skill names only tools, prompts, arguments, values and fields that exist",
  "listing.skill-resources": "skills are resources under skill://, listed with the others",
  "listing.trace-context": "_meta.traceparent of a request joins its trace; what is not valid is ignored",
  "listing.newer-clients": "a client that probes a newer protocol revision falls back: no answer is -32022",
  "listing.surface": "a breaking change of the tools against the last release fails; an additive one does not",
} satisfies Requirements;
