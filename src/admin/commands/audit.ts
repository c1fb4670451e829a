import { z } from "zod";
import { Email } from "../../../auth/members/member.ts";
import {
  type AuditEntry,
  type AuditQuery,
  type AuditTrail,
  readAuditTrail,
} from "../../core/audit-trail/read-audit-trail.ts";
import { type Command, option, type WorkspaceContext, workspaceCommand } from "../command.ts";

/** Entries of one command; a trail may have millions. */
const MAX_ENTRIES = 1_000;

export const auditCommands: readonly Command[] = [
  workspaceCommand("audit list", {
    summary: `who changed what in a workspace, and signed in, newest first; ${MAX_ENTRIES} entries at most`,
    input: z.strictObject({
      since: option(z.string().optional(), "DATE", "the first day, in the workspace's timezone, such as 2026-11-30"),
      person: option(Email.optional(), "EMAIL", "what this person did, by themselves or through assistants"),
      operation: option(z.string().optional(), "NAME", "one operation, such as createPaymentLinks"),
    }),
    run: ({ operate }, { since: from = null, person: email = null, operation = null }) =>
      newest(operate, { from, email, operation }),
  }),
];

async function newest(operate: WorkspaceContext["operate"], query: Partial<AuditQuery>) {
  const entries: AuditEntry[] = [];
  let cursor: string | null = null;
  do {
    const page: AuditTrail = await operate(readAuditTrail, { ...query, cursor });
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
}
