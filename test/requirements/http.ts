import type { Requirements } from "../requirements.ts";

export default {
  "contract.http.compression":
    "JSON above 1 KiB is compressed as the client takes it, varied by it; event streams and pages for people never are",
  "contract.http.keep-alive": "a connection is kept for 75 seconds, which holds up no stop",
  "contract.http.log-names": "the log of requests names key and workspace, bounded and without control characters",
} satisfies Requirements;
