import { sql } from "kysely";
import { preparedStatement } from "../prepared.ts";
import type { Transaction } from "../store.ts";
import type { ConnectionAuthority } from "./authority.ts";
import type { AttemptCounter } from "./failed-attempts.ts";

/** One call of an assistant: what its token says, and what it is counted against. Instants are ISO 8601 UTC. */
export interface AssistantCall {
  tenantId: string;
  connectionId: string;
  clientId: string;
  personId: string;
  now: string;
  /** Start of the minute that requests are counted in. */
  minute: string;
  /** Requests a minute beyond which a connection stops counting for its workspace; null for no limit. */
  connectionLimit: number | null;
  /** Failed authentications of the caller's address. */
  failures: AttemptCounter;
}

/** The connection of a call: what it may do now, and by which names people and the assistant know it. */
interface CallConnection extends ConnectionAuthority {
  memberId: string;
  givenScopes: string;
  workspace: string;
  clientName: string;
}

/** What one call of an assistant may do, and where its limits stand. */
export interface AssistantCallAuthority {
  /** Failed authentications of the address in its window. */
  failures: number;
  /** Null when no connection is what the token says. */
  connection: CallConnection | null;
  /** Requests of this minute, this one included; null where it was not counted. */
  hits: { connection: number; tenant: number | null } | null;
}

/** Without a connection every column of its is null. */
type CallRow = (CallConnection | (Omit<CallConnection, "memberId"> & { memberId: null })) & {
  failures: number;
  connectionHits: number | null;
  tenantHits: number | null;
};

/** What the statement below is told, besides the call itself. */
interface CallValues extends Omit<AssistantCall, "failures"> {
  failureSubject: string;
  failureWindow: string;
  /** Of the connection's own window. */
  subject: string;
}

const AUTHORIZE = preparedStatement<CallValues, CallRow>((db, value) =>
  sql<CallRow>`
  with failed as (
    select coalesce(max(hits), 0) as failures from attempt_windows
    where subject = ${value("failureSubject")} and window_start = ${value("failureWindow")}::timestamptz
  ), caller as (
    select member.member_id as "memberId", connection.scopes, connection.given_scopes as "givenScopes",
      connection.revoked_at is not null as revoked, member.removed_at is not null as removed, member.role,
      tenant.assistant_access as "assistantAccess", tenant.assistants, tenant.name as workspace,
      connection.client_name as "clientName"
    from assistant_connections as connection
    join members as member
      on member.tenant_id = connection.tenant_id and member.member_id = connection.member_id
    join tenants as tenant on tenant.tenant_id = connection.tenant_id
    where connection.tenant_id = ${value("tenantId")}::uuid and connection.connection_id = ${value("connectionId")}::uuid
      and connection.client_id = ${value("clientId")} and member.person_id = ${value("personId")}::uuid
  ), of_connection as (
    insert into rate_windows (tenant_id, subject, window_start, hits)
    select ${value("tenantId")}::uuid, ${value("subject")}, ${value("minute")}::timestamptz, 1 from caller
    where not caller.revoked and not caller.removed
    on conflict (tenant_id, subject, window_start) do update set hits = rate_windows.hits + 1
    returning hits
  ), of_tenant as (
    insert into rate_windows (tenant_id, subject, window_start, hits)
    select ${value("tenantId")}::uuid, 'connections', ${value("minute")}::timestamptz, 1 from of_connection
    where ${value("connectionLimit")}::int is null or of_connection.hits <= ${value("connectionLimit")}::int
    on conflict (tenant_id, subject, window_start) do update set hits = rate_windows.hits + 1
    returning hits
  ), used as (
    update assistant_connections set last_used_at = ${value("now")}::timestamptz
    where (tenant_id, connection_id) in (
      select tenant_id, connection_id from assistant_connections
      where tenant_id = ${value("tenantId")}::uuid and connection_id = ${value("connectionId")}::uuid
        and (last_used_at is null or last_used_at <= ${value("now")}::timestamptz - interval '1 minute')
        and exists (select from of_connection)
      -- A connection held by a running mutation is left for the next use: nobody waits for a timestamp.
      for no key update skip locked)
  )
  select failed.failures, caller.*, (select hits from of_connection) as "connectionHits",
    (select hits from of_tenant) as "tenantHits"
  from failed left join caller on true`.compile(db),
);

/** Authenticates a call in one statement, counts it against both limits exactly, and notes the use once a minute. */
export async function authorizeAssistantCall(tx: Transaction, call: AssistantCall): Promise<AssistantCallAuthority> {
  const { failures, ...rest } = call;
  const { subject: failureSubject, windowStart: failureWindow } = failures;
  const [row] = await AUTHORIZE(tx, { ...rest, failureSubject, failureWindow, subject: subjectOf(call) });
  if (row === undefined) throw new Error("the statement always answers one row");
  const { failures: failed, connectionHits, tenantHits, ...connection } = row;
  return {
    failures: failed,
    connection: connection.memberId === null ? null : connection,
    hits: connectionHits === null ? null : { connection: connectionHits, tenant: tenantHits },
  };
}

/** Requests that came in one body with a call that was let in: all of a batch but the first. */
export interface FurtherRequests
  extends Pick<AssistantCall, "tenantId" | "connectionId" | "minute" | "connectionLimit"> {
  requests: number;
}

type Hits = NonNullable<AssistantCallAuthority["hits"]>;

const COUNT_FURTHER = preparedStatement<FurtherRequests & { subject: string }, Hits>((db, value) =>
  sql<Hits>`
  with of_connection as (
    insert into rate_windows (tenant_id, subject, window_start, hits)
    values (${value("tenantId")}::uuid, ${value("subject")}, ${value("minute")}::timestamptz, ${value("requests")}::int)
    on conflict (tenant_id, subject, window_start) do update set hits = rate_windows.hits + excluded.hits
    returning hits
  ), of_tenant as (
    insert into rate_windows (tenant_id, subject, window_start, hits)
    select ${value("tenantId")}::uuid, 'connections', ${value("minute")}::timestamptz, ${value("requests")}::int
    from of_connection
    where ${value("connectionLimit")}::int is null or of_connection.hits <= ${value("connectionLimit")}::int
    on conflict (tenant_id, subject, window_start) do update set hits = rate_windows.hits + excluded.hits
    returning hits
  )
  select hits as connection, (select hits from of_tenant) as tenant from of_connection`.compile(db),
);

/** Counts them against the same limits, exactly; the requests of the minute with them. */
export async function countFurtherRequests(tx: Transaction, further: FurtherRequests): Promise<Hits> {
  const [hits] = await COUNT_FURTHER(tx, { ...further, subject: subjectOf(further) });
  if (hits === undefined) throw new Error("the statement always answers one row");
  return hits;
}

/** What the requests of one connection are counted under. */
function subjectOf({ connectionId }: Pick<AssistantCall, "connectionId">): string {
  return `connection:${connectionId}`;
}
