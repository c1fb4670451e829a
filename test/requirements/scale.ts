import type { Requirements } from "../requirements.ts";

export default {
  "facts.scale.past-runs":
    "what is read of invoices, connections and runs costs the same however many runs there have been",
  "facts.scale.past-executions": "looking up what workflows did costs the same however much they have done",
  "facts.scale.runs-kept":
    "runs that ended more than 90 days ago are deleted some at a time, and no figure of an invoice or connection changes",
  "facts.scale.hanging":
    "ERPs that hang hold half of a process's slots for pulls at most, whether that was known or not",
  "facts.scale.fair-slots": "one ERP host and one workspace get half of the slots at most, and take turns with others",
  "facts.scale.back-off":
    "a connection whose ERP stays away is pulled less and less often by schedule, and at once when a person asks",
  "facts.scale.shared-rounds": "what is done by the clock costs several processes together hardly more than one",
  "facts.scale.rounds-go-on": "the round of a process that is gone is another's once its lease has ended",
  "facts.scale.ready":
    "what is read costs the same from the end of a first pull on, before a server takes statistics by itself",
  "facts.scale.joined": "what aging sums up is never compared one by one: debts with customers, currencies with ERPs",
  "facts.scale.claim-cost": "claiming a piece of work costs the same however much is due",
  "facts.scale.claim-alone": "no worker that claims waits for another that claims something else",
  "facts.scale.disconnected": "receipts of a disconnected ERP are not looked at, and go on at once when it is back",
  "facts.scale.cut-off":
    "a request cut off in the middle is free again in 10 seconds at most, and says in how many; nothing is made twice",
  "facts.scale.held": "a request at work keeps its key, however long it takes, while its caller is there",
  "facts.scale.turns": "receipts are claimed of each ERP in turn",
  "scale.one-shard": "no statement of a call reaches more than one shard of a distributed store",
  "scale.worker-away":
    "with one worker away the tenants of the others go on without an error; its own are told when to come back, and do so",
  "scale.routable-schema": "no unique key of tenants' rows is without the tenant, and no policy asks another table",
  "scale.move":
    "a workspace is moved to another worker while it is read and written: nothing is lost, and no call fails",
} satisfies Requirements;
