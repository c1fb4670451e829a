import { type RawBuilder, sql } from "kysely";
import { preparedStatement, type ValueOf } from "../prepared.ts";
import type { Store } from "../store.ts";
import { here } from "../tenancy/here.ts";
import type { ConnectionAuthority } from "./authority.ts";
import { counting, countRequests } from "./counted-requests.ts";

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
  /** Null when no connection is what the token says. */
  connection: CallConnection | null;
  /** Requests of this minute, this one included; null where it was not counted. */
  hits: { connection: number; tenant: number | null } | null;
}

type CallRow = CallConnection & {
  connectionHits: number | null;
  tenantHits: number | null;
};

/** What the statement below is told, besides the call itself. */
interface CallValues extends AssistantCall {
  /** Of the connection's own window. */
  subject: string;
}

/** What a call's connection is, in columns. */
const CALLER = sql`member.member_id as "memberId", connection.scopes, connection.given_scopes as "givenScopes",
  connection.revoked_at is not null as revoked, member.removed_at is not null as removed, member.role,
  tenant.assistant_access as "assistantAccess", tenant.assistants, tenant.name as workspace,
  connection.client_name as "clientName"`;

/** A call's connection with its member and workspace; none where it is not what the token says. */
const callerOf = (value: ValueOf<AssistantCall>) => sql`assistant_connections as connection
  join members as member
    on member.tenant_id = connection.tenant_id and member.member_id = connection.member_id
  join tenants as tenant on tenant.tenant_id = connection.tenant_id
  where connection.tenant_id = ${value("tenantId")}::uuid and connection.connection_id = ${value("connectionId")}::uuid
    and connection.client_id = ${value("clientId")} and member.person_id = ${value("personId")}::uuid`;

/** Whether a use is to be noted, once a minute. */
const isUseDue = (value: ValueOf<AssistantCall>) =>
  sql<boolean>`(last_used_at is null or last_used_at <= ${value("now")}::timestamptz - interval '1 minute')`;

/** Notes a use that is due where `condition` holds. A connection locked by a running mutation is skipped: nobody waits for a timestamp. */
const noteUse = (value: ValueOf<AssistantCall>, condition: RawBuilder<unknown>) => sql`
    update assistant_connections set last_used_at = ${value("now")}::timestamptz
    where tenant_id = ${value("tenantId")}::uuid and connection_id in (
      select connection_id from assistant_connections
      where tenant_id = ${value("tenantId")}::uuid and connection_id = ${value("connectionId")}::uuid
        and ${isUseDue(value)} and ${condition}
      for no key update skip locked)`;

/** Counts requests of `of_connection` for the workspace too, unless the connection is beyond its own limit. */
const countingOfTenant = (
  value: ValueOf<Pick<AssistantCall, "tenantId" | "minute" | "connectionLimit">>,
  requests: RawBuilder<unknown>,
) =>
  counting(sql`
    select here.tenant_id, 'connections', ${value("minute")}::timestamptz, ${requests}
    from of_connection cross join ${here(value("tenantId"))}
    where ${value("connectionLimit")}::int is null or of_connection.hits <= ${value("connectionLimit")}::int`);

const AUTHORIZE = preparedStatement<CallValues, CallRow>((db, value) =>
  sql<CallRow>`
  with caller as (
    select ${CALLER} from ${callerOf(value)}
  ), of_connection as (${counting(sql`
    select here.tenant_id, ${value("subject")}, ${value("minute")}::timestamptz, 1
    from caller cross join ${here(value("tenantId"))}
    where not caller.revoked and not caller.removed`)}
  ), of_tenant as (${countingOfTenant(value, sql`1`)}
  ), used as (
    ${noteUse(value, sql`exists (select from of_connection)`)}
  )
  select caller.*, (select hits from of_connection) as "connectionHits",
    (select hits from of_tenant) as "tenantHits"
  from caller`.compile(db),
);

type FoundRow = CallConnection & { isUseDue: boolean };

const FIND = preparedStatement<AssistantCall, FoundRow>((db, value) =>
  sql<FoundRow>`select ${CALLER}, ${isUseDue(value)} as "isUseDue" from ${callerOf(value)}`.compile(db),
);

const NOTE_USE = preparedStatement<AssistantCall, unknown>((db, value) => noteUse(value, sql`true`).compile(db));

/**
 * Authenticates a call in one statement, counts it against both limits exactly, and notes the use once a minute. Where tenants lie on
 * workers each part is a statement of its own.
 */
export async function authorizeAssistantCall(store: Store, call: AssistantCall): Promise<AssistantCallAuthority> {
  if (store.isDistributed) return authorizeInParts(store, call);
  const [row] = await store.statement((tx) => AUTHORIZE(tx, { ...call, subject: subjectOf(call) }));
  if (row === undefined) return { connection: null, hits: null };
  const { connectionHits, tenantHits, ...connection } = row;
  return {
    connection,
    hits: connectionHits === null ? null : { connection: connectionHits, tenant: tenantHits },
  };
}

async function authorizeInParts(store: Store, call: AssistantCall): Promise<AssistantCallAuthority> {
  const [row] = await store.statement((tx) => FIND(tx, call));
  if (row === undefined) return { connection: null, hits: null };
  const { isUseDue: isDue, ...connection } = row;
  if (connection.revoked || connection.removed) return { connection, hits: null };
  const hits = await countOf(store, { ...call, requests: 1 });
  if (isDue) await store.statement((tx) => NOTE_USE(tx, call));
  return { connection, hits };
}

/** Requests that came in one body with a call that was let in: all of a batch but the first. */
export interface FurtherRequests
  extends Pick<AssistantCall, "tenantId" | "connectionId" | "minute" | "connectionLimit"> {
  requests: number;
}

type Hits = NonNullable<AssistantCallAuthority["hits"]>;

const COUNT_FURTHER = preparedStatement<FurtherRequests & { subject: string }, Hits>((db, value) =>
  sql<Hits>`
  with of_connection as (${counting(sql`
    values (${value("tenantId")}::uuid, ${value("subject")}, ${value("minute")}::timestamptz, ${value("requests")}::int)`)}
  ), of_tenant as (${countingOfTenant(value, sql`${value("requests")}::int`)}
  )
  select hits as connection, (select hits from of_tenant) as tenant from of_connection`.compile(db),
);

/** Counts them against the same limits, exactly; the requests of the minute with them. */
export async function countFurtherRequests(store: Store, further: FurtherRequests): Promise<Hits> {
  if (store.isDistributed) return countOf(store, further);
  const [hits] = await store.statement((tx) => COUNT_FURTHER(tx, { ...further, subject: subjectOf(further) }));
  if (hits === undefined) throw new Error("the statement always answers one row");
  return hits;
}

async function countOf(store: Store, further: FurtherRequests): Promise<Hits> {
  const { tenantId, minute, requests, connectionLimit: limit } = further;
  const subject = subjectOf(further);
  const { own, shared } = await countRequests(store, {
    ...{ tenantId, subject, minute, requests, limit },
    shared: "connections",
  });
  return { connection: own, tenant: shared };
}

/** What the requests of one connection are counted under. */
function subjectOf({ connectionId }: Pick<AssistantCall, "connectionId">): string {
  return `connection:${connectionId}`;
}
