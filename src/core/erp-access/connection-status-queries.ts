import { type SqlBool, sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { type ErpContact, MEANING_OF_CONTACT } from "./connection-status.ts";

type ConnectionKey = Pick<ErpConnectionRow, "tenant_id" | "connection_id">;

/** Whether a connection, by its name in a statement, is not switched off and holds a credential: its ERP may be called. */
export function isConnected(connection: string) {
  const [status, credential] = [sql.ref(`${connection}.status`), sql.ref(`${connection}.credential`)];
  return sql<SqlBool>`(${status} <> 'disconnected' and ${credential} is not null)`;
}

/** Writes what a finished run tells about its connection; one that is switched off stays so. */
export async function noteFinishedRun(
  tx: Transaction,
  connection: ConnectionKey,
  { at, contact, isSuccess = false }: { at: string; contact: ErpContact; isSuccess?: boolean },
) {
  const { status, hasAnswered } = MEANING_OF_CONTACT[contact];
  await tx
    .updateTable("erp_connections")
    .set({
      last_sync_at: at,
      ...(isSuccess ? { last_successful_sync_at: at } : {}),
      ...(hasAnswered === null
        ? {}
        : { unreachable_runs: hasAnswered ? 0 : sql<number>`least(unreachable_runs, 1000) + 1` }),
      ...(status === null ? {} : { status: unlessSwitchedOff(status), status_since: sinceWhen(status, at) }),
    })
    .where((column) => column.and({ tenant_id: connection.tenant_id, connection_id: connection.connection_id }))
    .execute();
}

const unlessSwitchedOff = (status: ErpConnectionRow["status"]) =>
  sql<ErpConnectionRow["status"]>`case when status = 'disconnected' then status else ${status} end`;

const sinceWhen = (status: ErpConnectionRow["status"], at: string) =>
  sql<string>`case when status in ('disconnected', ${status}) then status_since else ${at}::timestamptz end`;

/** Writes a connection's status after a call with this credential, where it changed. */
export async function notePushContact(
  tx: Transaction,
  { tenant_id, connection_id, credential }: ConnectionKey & Pick<ErpConnectionRow, "credential">,
  contact: ErpContact,
  at: string,
) {
  const { status } = MEANING_OF_CONTACT[contact];
  if (status === null) return;
  await tx
    .updateTable("erp_connections")
    .set({ status, status_since: at })
    .where((column) => column.and({ tenant_id, connection_id }))
    .where("credential", "=", credential)
    .where("status", "not in", ["disconnected", status])
    .execute();
}
