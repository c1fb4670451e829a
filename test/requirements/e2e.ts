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
} satisfies Requirements;
