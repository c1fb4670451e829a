import type { Requirements } from "../requirements.ts";

export default {
  "facts.scale.claim-cost": "claiming a piece of work costs the same however much is due",
  "facts.scale.claim-alone": "no worker that claims waits for another that claims something else",
  "facts.scale.disconnected": "receipts of a disconnected ERP are not looked at, and go on at once when it is back",
  "facts.scale.cut-off":
    "a request cut off in the middle is free again in 10 seconds at most, and says in how many; nothing is made twice",
  "facts.scale.held": "a request at work keeps its key, however long it takes, while its caller is there",
  "facts.scale.turns": "receipts are claimed of each ERP in turn",
} satisfies Requirements;
