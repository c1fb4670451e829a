import { Email } from "../../../auth/members/member.ts";
import { type AuditEntry, type AuditTrail, readAuditTrail } from "../../core/audit-trail/read-audit-trail.ts";
import { type Command, command } from "../command.ts";

/** Entries of one command; a trail may have millions. */
const MAX_ENTRIES = 1_000;

export const auditCommands: readonly Command[] = [
  command("audit list", readAuditTrail, {
    summary: `who changed what in a workspace, and signed in, newest first; ${MAX_ENTRIES} entries at most`,
    options: {
      from: ["--since DATE", "the first day, in the workspace's timezone, such as 2026-11-30"],
      email: ["--person EMAIL", "what this person did, by themselves or through assistants", Email.optional()],
      operation: ["NAME", "one operation, such as createPaymentLinks"],
    },
    async run({ operate }, asked) {
      const entries: AuditEntry[] = [];
      let cursor: string | null = null;
      do {
        const page: AuditTrail = await operate(readAuditTrail, { ...asked, cursor });
        entries.push(...page.entries);
        cursor = page.older;
      } while (cursor !== null && entries.length < MAX_ENTRIES);
      return entries.map((entry) => ({
        at: entry.at,
        by: entry.actorKind,
        who: entry.actorName,
        assistant: entry.clientName,
        operation: entry.operation,
        outcome: entry.outcome,
        object_type: entry.objectType,
        object: entry.labels.map(({ name, invoiceNumber }) => name ?? invoiceNumber).join(", ") || entry.objectId,
        details: entry.details.map(([name, text]) => `${name} ${text}`).join(", "),
        request_id: entry.requestId,
      }));
    },
  }),
];
