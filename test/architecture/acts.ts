import { at, type Project, sourcesIn, within } from "./project.ts";
import type { Rule } from "./rule.ts";

const OPENS_WRITE = /\bstore\s*\.(write|system)\(/;
const WRITES_ENTRY = /\b(recordAudit|recordDone|insertAuditEntry)\(/;

const core = (...names: readonly string[]): string[] => names.map((name) => `src/core/${name}.ts`);

const ENTRY_WRITERS = [
  ...core("gate/audit", "gate/operation", "gate/inner-operation"),
  // It ends what an outsideOperation reserved, maybe after its request: the entry's author is kept with the reservation.
  ...core("payment-links/issuing/settle-reservation"),
  // The demo tells of an approval that no person gave.
  "src/demo/actors.ts",
];

/** The files of the core that open a transaction of their own that may write. */
const OWN_TRANSACTIONS = [
  ...core("gate/mutation", "gate/operation", "gate/outside-operation", "gate/idempotency", "shared/reencrypt"),
  // Reads of all tenants.
  ...core("workspace/workspaces", "payments/events/receive-notification"),
  // Claims and leases, and what a job does with what it has claimed.
  ...core(
    "shared/work",
    "aging/advance-rollups",
    "payment-links/issuing/finish-reservation",
    "payment-links/emails/link-messages",
    "payment-links/withdrawing/withdraw-links",
    "payments/receipts/push-receipt",
    "payments/events/read-events",
    "payments/receipts/receipt-follow",
    "sync-runs/interrupt-runs",
    "sync-runs/lead-run",
    "sync-runs/prune-runs",
    "sync-runs/reserve-run",
    "workflows/examine-invoice",
    "workflows/generate-links",
    "workflows/work",
  ),
];

const FACES = ["src/admin", "src/web", "src/rest", "src/mcp", "src/http", "tools"];
/** A backup is all tenants' rows, read or written as they are. */
const BACKUP = "src/admin/commands/backup.ts";

/** Where the pattern is found in files that are none of `allowed`, and files of `allowed` that no longer need to be. */
function beyond(files: readonly [string, string][], pattern: RegExp, allowed: readonly string[]): string[] {
  const found = files.flatMap(([path, text]) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ path, place: `${at(path, text, match.index)}  ${match[0]}` }];
  });
  const strays = found.filter(({ path }) => !allowed.includes(path)).map(({ place }) => place);
  const idle = allowed.filter((path) => !found.some((one) => one.path === path));
  return [...strays, ...idle.map((path) => `${path}  is on the list in test/architecture/acts.ts and need not be`)];
}

const inCore = (project: Project): [string, string][] => sourcesIn(project, ["src/core"]);

/** Every act goes through an operation, with its actor (completions §1). */
export const ACT_RULES: readonly Rule[] = [
  {
    rule: "Audit entries are written by the gate.",
    why: "An act that writes its own entry can name the wrong actor, or be forgotten when it fails.",
    fix: "Declare an operation; it writes the entry with what `audit()` is given.",
    find: (project) =>
      beyond(
        sourcesIn(project, ["src", "auth"]).filter(([path]) => !within(path, "src/store")),
        WRITES_ENTRY,
        ENTRY_WRITERS,
      ),
  },
  {
    rule: "No face opens a transaction that writes.",
    why: "Permission, idempotency and the audit entry are an operation's; a face that writes goes around them.",
    fix: "Call an operation; where there is none for it, add one (CONTRIBUTING.md).",
    find: (project) => beyond(sourcesIn(project, FACES), OPENS_WRITE, [BACKUP]),
  },
  {
    rule: "In the core the gate opens transactions that write, and what runs without a caller.",
    why: "Whoever acts comes through one door; a second door would check less.",
    fix: "Write in an operation's `run`, with the transaction that it is given.",
    find: (project) => beyond(inCore(project), OPENS_WRITE, OWN_TRANSACTIONS),
  },
  {
    rule: "No signature leaves out who acts.",
    why: "Where an actor may be left out, leaving it out means more power.",
    fix: "Take the actor as a required value.",
    find: (project) => beyond(sourcesIn(project), /\b(by|actor)\?:(?! never)/, []),
  },
];
