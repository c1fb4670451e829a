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
} satisfies Requirements;
