import type { Requirements } from "../requirements.ts";

export default {
  "contract.drain": "SIGTERM cuts no request off, one on its way over a connection that was waiting included",
  "contract.processes":
    "several processes on one PostgreSQL are one service: nothing accepted is lost, doubled or another tenant's, whichever of them dies",
  "contract.outage":
    "connections to PostgreSQL that break end no process; work under way is undone, and the next goes on",
} satisfies Requirements;
