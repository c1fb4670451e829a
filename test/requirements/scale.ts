import type { Requirements } from "../requirements.ts";

export default {
  "facts.scale.claim-cost": "claiming a piece of work costs the same however much is due",
  "facts.scale.claim-alone": "no worker that claims waits for another that claims something else",
  "facts.scale.disconnected": "receipts of a disconnected ERP are not looked at, and go on at once when it is back",
  "facts.scale.turns": "receipts are claimed of each ERP in turn",
} satisfies Requirements;
