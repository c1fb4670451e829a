import { nowOf, type Stamping } from "../src/core/gate/dependencies.ts";
import type { AuditedObject } from "../src/core/gate/run-context.ts";
import { workStep } from "../src/core/gate/work-step.ts";
import { queueMail } from "../src/core/mail/outgoing-queries.ts";
import type { Transaction } from "../src/store/store.ts";
import { insertAssistantConnection, selectOwnerEmail, tombstoneConnection } from "./connection-queries.ts";

type NewConnection = Omit<Parameters<typeof insertAssistantConnection>[1], "tenant_id" | "member_id" | "created_at">;

/** A change of what a connection may do. */
interface ScopeChange {
  connectionId: string;
  /** The scopes that were added or removed, space-separated, for the audit entry. */
  scopes?: string;
}

/** An assistant is approved; its person gets a mail if it `isNews` (completions §11). */
export const connectAssistant = workStep({
  name: "connectAssistant",
  callers: ["person"],
  async run(
    { tx, core, actor: { tenantId, memberId }, audit },
    { row, scopes, isNews }: { row: NewConnection; scopes?: string; isNews: boolean },
  ) {
    const connectionId = row.connection_id;
    await insertAssistantConnection(tx, { ...row, tenant_id: tenantId, member_id: memberId, created_at: nowOf(core) });
    audit(audited({ connectionId, ...(scopes === undefined ? {} : { scopes }) }));
    if (isNews) await tellApprover(tx, core, { kind: "assistant_connected", tenantId, connectionId });
  },
});

/** A connection's permissions are widened; its person gets a mail if it `isNews`. */
export const extendAssistantConnection = workStep({
  name: "extendAssistantConnection",
  callers: ["person"],
  async run({ tx, core, actor: { tenantId }, audit }, { isNews, ...change }: ScopeChange & { isNews: boolean }) {
    audit(audited(change));
    const { connectionId } = change;
    if (isNews) await tellApprover(tx, core, { kind: "assistant_extended", tenantId, connectionId });
  },
});

/** A connection's permissions are narrowed. */
export const narrowAssistantConnection = workStep({
  name: "narrowAssistantConnection",
  callers: ["person"],
  run: async ({ audit }, change: ScopeChange) => audit(audited(change)),
});

/** A connection ends, unless it has ended already. */
export const revokeAssistantConnection = workStep({
  name: "revokeAssistantConnection",
  callers: ["person", "operator", "system"],
  async run({ tx, core, actor, audit }, connectionId: string) {
    const revoked = { revoked_at: nowOf(core), revoked_by: actor.kind === "person" ? actor.memberId : null };
    const hasEnded = await tombstoneConnection(tx, { tenantId: actor.tenantId, connectionId }, revoked);
    audit(hasEnded ? audited({ connectionId }) : null);
  },
});

function audited({ connectionId: id, scopes }: ScopeChange): AuditedObject {
  return { type: "assistant_connection", id, ...(scopes === undefined ? {} : { details: { scopes } }) };
}

async function tellApprover(
  tx: Transaction,
  core: Stamping,
  mail: { kind: "assistant_connected" | "assistant_extended"; tenantId: string; connectionId: string },
): Promise<void> {
  const { kind, tenantId, connectionId } = mail;
  const recipient = await selectOwnerEmail(tx, { tenantId, connectionId });
  await queueMail(tx, core, { tenant_id: tenantId, kind, recipient, subject_id: connectionId });
}
