import type { Requirements } from "../requirements.ts";

export default {
  "contract.drain": "SIGTERM cuts no request off, one on its way over a connection that was waiting included",
  "contract.processes":
    "several processes on one PostgreSQL are one service: nothing accepted is lost, doubled or another tenant's, whichever of them dies",
  "contract.full-disk":
    "an embedded store whose disk runs full says so at once, and goes on by itself once there is room, with all it accepted",
  "contract.customer-locks": "a pull and a payment link of one customer never wait for each other",
  "contract.outage":
    "connections to PostgreSQL that break end no process; work under way is undone, and the next goes on",
} satisfies Requirements;
