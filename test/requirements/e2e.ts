import type { Requirements } from "../requirements.ts";

export default {
  "contract.flow":
    "an assistant goes from 401 over metadata, registration, sign-in and consent to its tools, refreshes, and is stopped",
  "contract.logs": "logs are JSON lines with request ids and hold no secret",
  "contract.start":
    "a start prints where to connect and is ready in time; a SIGTERM ends it with 0 and cuts nothing off",
  "contract.one-process":
    "a second process on the same embedded folder ends at once with a clear line, the first unharmed",
  "contract.first-start":
    "a first start that cannot be ends with one line that names the setting; one that can makes what it needs, and tells how far it is",
  "service.1.revocation": "revoking an assistant connection stops it immediately",
  "service.1.collect":
    "an assistant connected to an admin issues links and pushes held receipts, and the money arrives once",
  "completions.6.circle":
    "from ERP balance over link, payment and receipt back to the ERP balance, every figure holds at every step",
  "contract.demo.credentials": "demo.json (0600) is made once, random, in the shape of the contract",
  "contract.demo.cast":
    "workspaces in different timezones, each with an admin, a member and a key of each permission; one person in two",
  "contract.demo.companies": "two companies that look real, and a third workspace with every odd case",
  "contract.demo.connector":
    "the demo's invoices came in through the connector, and pulls go on working at later starts",
  "contract.demo.coverage": "every enum value of service.md §2–3 that the built operations can show occurs in the demo",
  "contract.demo.names":
    "customers who share a name, one with several emails, names that are easy to get wrong, unassigned rows",
  "contract.demo.resume": "a first start that was cut off is completed by the next one",
  "contract.demo.members": "a first start that was cut off leaves no workspace without members",
  "contract.demo.version":
    "a demo that another version made goes on working; one that another version began is left unchanged, and the log says so",
  "contract.demo.restored": "a demo that was restored without the demo's files starts, and nothing is added to it",
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
