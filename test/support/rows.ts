import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import type { AssistantActor, Role, Scope } from "../../src/core/gate/actor.ts";
import { addRoutes } from "../../src/store/identity/tenant-routes.ts";
import type { Store } from "../../src/store/store.ts";
import type { SyncRunRow } from "../../src/store/tables/erp.ts";
import type { AssistantConnectionRow } from "../../src/store/tables/identity.ts";
import type { TaskRow } from "../../src/store/tables/workflows.ts";
import type { MemberRow, PersonRow } from "../../src/store/tables/workspace.ts";
import { BOOK_TIME } from "./book.ts";
import { everyRow } from "./every-row.ts";

/** A run that succeeded and read nothing. */
export function syncRunRow(
  tenantId: string,
  connectionId: string,
  row: Partial<Insertable<SyncRunRow>> = {},
): Insertable<SyncRunRow> {
  return {
    tenant_id: tenantId,
    sync_run_id: randomUUID(),
    connection_id: connectionId,
    trigger: "manual",
    status: "succeeded",
    started_at: BOOK_TIME,
    finished_at: BOOK_TIME,
    pull_from: null,
    read_through: null,
    invoices_read: 0,
    invoices_created: 0,
    invoices_updated: 0,
    invoices_retired: 0,
    error_code: null,
    error_reason: null,
    claim_id: null,
    lease_expires_at: null,
    ...row,
  };
}

/** An open task that nobody was told of. */
export function taskRow(tenantId: string, invoiceId: string, row: Partial<TaskRow> = {}): TaskRow {
  return {
    tenant_id: tenantId,
    task_id: randomUUID(),
    type: "payment_arrangement",
    invoice_id: invoiceId,
    assignee_id: null,
    state: "open",
    configured_at: null,
    dismissed_at: null,
    created_at: BOOK_TIME,
    ...row,
  };
}

interface Assistant {
  actor: AssistantActor;
  person: PersonRow;
  member: MemberRow;
  connection: Insertable<AssistantConnectionRow>;
}

/** A person of the workspace, new or that of another assistant, with an assistant connected; nothing of it expires. */
export async function connectAssistant(
  store: Store,
  tenantId: string,
  {
    role = "member",
    scopes = ["receivables:read"],
    of,
  }: { role?: Role; scopes?: readonly Scope[]; of?: Assistant } = {},
): Promise<Assistant> {
  const person: PersonRow = of?.person ?? {
    person_id: randomUUID(),
    email: `${randomUUID()}@example.test`,
    name: "Ada Lovelace",
    password_hash: null,
    created_at: BOOK_TIME,
  };
  const member: MemberRow = of?.member ?? {
    tenant_id: tenantId,
    member_id: randomUUID(),
    person_id: person.person_id,
    email: person.email,
    name: person.name,
    role,
    created_at: BOOK_TIME,
    removed_at: null,
  };
  const connection = {
    tenant_id: tenantId,
    connection_id: randomUUID(),
    member_id: member.member_id,
    client_id: "client-1",
    client_name: "Assistant",
    client_uri: null,
    scopes,
    created_at: BOOK_TIME,
    last_used_at: null,
    revoked_at: null,
    revoked_by: null,
  };
  await everyRow(store, async (tx) => {
    if (of === undefined) {
      await tx.insertInto("people").values(person).execute();
      await tx.insertInto("members").values(member).execute();
    }
    await addRoutes(tx, tenantId, [
      { kind: "person", key: person.person_id },
      { kind: "connection", key: connection.connection_id },
      { kind: "client", key: connection.client_id },
    ]);
    await tx.insertInto("assistant_connections").values(connection).execute();
  });
  const { member_id: memberId } = member;
  const { connection_id: connectionId } = connection;
  return {
    actor: { kind: "assistant", readsOnly: false, tenantId, memberId, role, connectionId, scopes },
    person,
    member,
    connection,
  };
}

/** A row without its tenant, which workers refuse to write again, though it is the same. */
export const rest = <Row extends { tenant_id: unknown }>({ tenant_id: _same, ...others }: Row) => others;
