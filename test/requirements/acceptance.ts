import type { Requirements } from "../requirements.ts";

export default {
  "contract.crash":
    "a process killed in mid-pull loses nothing committed, doubles nothing, and the next pull completes",
  "contract.real-run": "a real book pulled through the connector ages to the cent as the file itself says",
  "completions.5.crash":
    "killed at any moment and started again, no link at the provider is without its row and no row without its link",
  "completions.6.crash": "killed at any moment and started again, each payment at the provider counts once",
  "completions.7.crash-receipt":
    "killed at any moment and started again, each payment has one receipt in the ERP, applied",
  "completions.7.crash-mail":
    "killed at any moment and started again, no mail that was written down as sent goes out again",
  "completions.7.crash-message":
    "killed at any moment and started again, a customer has one message a day, each link in one, a repeated message under its first id",
  "completions.12.crash":
    "killed at any moment and started again, one pass finds each payment, refund and dispute that no notification told of, once",
  "completions.12.crash-withdrawal":
    "killed at any moment and started again, one pass leaves no live link beyond its debt, nor an open checkout of a withdrawn one",
  "completions.12.crash-by-hand":
    "killed at any moment and started again, no round has two receipts, and none stands on top of one entered by hand",
  "completions.5.parallel-pushes": "twenty who push the same held payments at once leave one receipt for each payment",
  "completions.6.model":
    "whatever links, payments, pushes, pulls, failures and time do to each other, every stored figure is what a simple model derives",
  "completions.12.model":
    "refunds, disputes, lost, late and foreign notifications, overpayments, receipts entered by hand, retries and withdrawals by people: no figure, link, receipt or concern differs from a simple model's",
  "completions.12.lanes":
    "two lanes of work at once, whatever fails meanwhile: once they rest, Stripe, the ERP, the mailboxes and the store tell the same",
  "completions.5.never-exceeds": "no step makes an installment's live links ask for more than is outstanding of it",
  "service.1.assistant-may":
    "an admin's assistant issues and withdraws links, manages their emails, dismisses tasks and pushes held receipts; that is all",
  "service.1.assistant-never":
    "no tool or argument sends words of an assistant's own, moves money, changes people, providers or keys, or deletes anything",
  "service.1.no-resource":
    "what an assistant has beside tools reads, and changes nothing: prompts, resources and completions",
  "service.1.members-read": "a person who is no admin sees and calls no tool that changes anything",
  "service.1.demotion": "a demotion takes effect on the next call",
  "service.1.step-up": "a missing scope is answered HTTP 403 with a challenge that names it, and nothing is done",
  "facts.mcp.outside-text":
    "text from outside is field values without unseen characters, short, in no error, prompt or description, escaped in pages",
  "facts.mcp.inert-text":
    "images, links and markup in texts from outside are plain letters where a chat shows a text answer as Markdown; the data is unchanged",
  "contract.drain": "SIGTERM cuts no request off, one on its way over a connection that was waiting included",
  "contract.processes":
    "several processes on one PostgreSQL are one service: nothing accepted is lost, doubled or another tenant's, whichever of them dies",
  "completions.12.processes":
    "under load and with a process killed, no link outlives its debt, each payment, refund and dispute is seen once though its notification is lost, and no receipt stands on top of one entered by hand",
  "contract.full-disk":
    "an embedded store whose disk runs full says so at once, and goes on by itself once there is room, with all it accepted",
  "contract.customer-locks": "a pull and a payment link of one customer never wait for each other",
  "contract.lock-order": "what waits for a workspace's figures holds no lock on its ERP connections",
  "contract.deadlocks": "what PostgreSQL undoes for a deadlock is done again, and nobody is told",
  "contract.outage":
    "connections to PostgreSQL that break end no process; work under way is undone, and the next goes on",
  "contract.outage.silent":
    "a PostgreSQL that stops answering leaves no call unanswered for ten seconds, nor /readyz for five: each is refused with Retry-After, on /mcp and the pages as 503; and it goes on by itself",
  "contract.outage.away": "while PostgreSQL is away, each call is refused with Retry-After",
  "contract.outage.log":
    "a store that is lost is told of once, and once when it is back; jobs do not look for work meanwhile",
  "contract.outage.listener":
    "a connection that hears of revocations and has no answer is noticed within 15 seconds and opened again; calls under way end, and no assistant is let in meanwhile",
  "contract.outage.limits":
    "a call's statements, locks and idle transactions end by themselves; those of pulls, commands and backups may take long",
  "contract.outage.kinds":
    "a full disk, a read-only database, one without a free connection and an embedded store's folder that is gone are told apart in answers, the log and metrics; /readyz makes a write, and says so when it is over",
  "contract.outage.writable": "/readyz is 200 only where the service may write under its own roles",
  "contract.cluster.ha":
    "under Patroni the service goes on by itself on the standby that was promoted; callers are refused with Retry-After until then",
  "contract.cluster.left-out": "a cluster whose programs a machine does not have is left out by their names",
  "contract.database.durable":
    "a server is warned of at the start whose crash or failover would lose acknowledged writes: asynchronous standbys, synchronous_commit off or local",
  "contract.database.hosts":
    "of a DATABASE_URL with several hosts the one that takes writes is used, at the start and after a failover",
  "contract.database.turns":
    "the connections are shared in turns by workspace: one that asks for much waits for itself",
  "contract.database.pool": "the number of connections is a setting, and idle ones are given back",
  "contract.database.pooler":
    "behind a pooler in transaction mode the start is refused in one line, and with DATABASE_DIRECT_URL all three walls stand",
  "facts.scale.past-runs":
    "what is read of invoices, connections and runs costs the same however many runs there have been",
  "facts.scale.past-executions": "looking up what workflows did costs the same however much they have done",
  "facts.scale.runs-kept":
    "runs that ended more than 90 days ago are deleted some at a time, and no figure of an invoice or connection changes",
  "facts.scale.hanging":
    "ERPs that hang, or answer without an end, keep no other's pull from a place, whether that was known or not",
  "facts.scale.fair-slots":
    "one ERP host and one workspace get a quarter of the places at most, less the fewer are free, and take turns with others",
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
