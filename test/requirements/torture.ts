import type { Requirements } from "../requirements.ts";

export default {
  "contract.drain": "SIGTERM cuts no request off, one on its way over a connection that was waiting included",
  "contract.processes":
    "several processes on one PostgreSQL are one service: nothing accepted is lost, doubled or another tenant's, whichever of them dies",
  "completions.12.processes":
    "under load and with a process killed, no link outlives its debt, each payment, refund and dispute is seen once though its notification is lost, and no receipt stands on top of one entered by hand",
  "contract.full-disk":
    "an embedded store whose disk runs full says so at once, and goes on by itself once there is room, with all it accepted",
  "contract.customer-locks": "a pull and a payment link of one customer never wait for each other",
  "contract.outage":
    "connections to PostgreSQL that break end no process; work under way is undone, and the next goes on",
} satisfies Requirements;
