import { type RawBuilder, sql } from "kysely";
import { preparedStatement, type ValueOf } from "../prepared.ts";
import type { Store } from "../store.ts";
import type { AssistantConnectionRow } from "../tables/identity.ts";
import { here } from "../tenancy/here.ts";
import type { ConnectionAuthority } from "./authority.ts";
import { type AlreadyCounted, counting, countRequests, type Window } from "./counted-requests.ts";

/** One call of an assistant: what its token says, and what it is counted against. Instants are ISO 8601 UTC. */
interface AssistantCall {
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
  givenScopes: AssistantConnectionRow["scopes"];
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
  /** A use that was noted by then is noted again. */
  usedBefore: string;
}

/** What a call's connection is, in columns. */
const CALLER = sql`member.member_id as "memberId", connection.scopes, connection.given_scopes as "givenScopes",
  connection.revoked_at is not null as revoked, member.removed_at is not null as removed, member.role,
  tenant.assistant_access as "assistantAccess", tenant.assistants, tenant.name as workspace,
  connection.client_name as "clientName"`;

/** A call's connection with its member and workspace; none where it is not what the token says. */
const callerOf = (
  value: ValueOf<AssistantCall>,
) => sql`assistant_connections as connection, members as member, tenants as tenant
  where connection.tenant_id = ${value("tenantId")}::uuid and connection.connection_id = ${value("connectionId")}::uuid
    and connection.client_id = ${value("clientId")}
    and member.tenant_id = ${value("tenantId")}::uuid and member.member_id = connection.member_id
    and member.person_id = ${value("personId")}::uuid and tenant.tenant_id = ${value("tenantId")}::uuid`;

/** How long one note of a use stands. */
const USE_NOTED_MS = 60_000;

/** Whether a use is to be noted. */
const isUseDue = (value: ValueOf<CallValues>) =>
  sql<boolean>`(last_used_at is null or last_used_at <= ${value("usedBefore")}::timestamptz)`;

/** Notes a use that is due where `condition` holds. A connection locked by a running mutation is skipped: nobody waits for a timestamp. */
const noteUse = (value: ValueOf<CallValues>, condition: RawBuilder<unknown>) => sql`
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

const found = (value: ValueOf<CallValues>) => sql`${CALLER}, ${isUseDue(value)} as "isUseDue"`;

const FIND = preparedStatement<CallValues, FoundRow>((db, value) =>
  sql<FoundRow>`select ${found(value)} from ${callerOf(value)}`.compile(db),
);

/** Finds a caller who may call, and counts the call for connection and workspace where their windows are there. */
const FIND_AND_COUNT = preparedStatement<CallValues, FoundRow & Window>((db, value) =>
  sql<FoundRow & Window>`
  update rate_windows as counted set hits = counted.hits + 1
  from ${callerOf(value)} and connection.revoked_at is null and member.removed_at is null
    and counted.tenant_id = ${value("tenantId")}::uuid and counted.subject in (${value("subject")}, 'connections')
    and counted.window_start = ${value("minute")}::timestamptz
  returning counted.subject, counted.hits, ${found(value)}`.compile(db),
);

const NOTE_USE = preparedStatement<CallValues, unknown>((db, value) => noteUse(value, sql`true`).compile(db));

/**
 * Authenticates a call in one statement, counts it against both limits exactly, and notes the use once a minute. On workers only
 * a call that finds its windows there takes one; the first of a minute, and one beyond its own limit, take more.
 */
export async function authorizeAssistantCall(store: Store, call: AssistantCall): Promise<AssistantCallAuthority> {
  const usedBefore = new Date(Date.parse(call.now) - USE_NOTED_MS).toISOString();
  const values = { ...call, subject: subjectOf(call), usedBefore };
  if (store.isDistributed) return authorizeInParts(store, values);
  const [row] = await store.statement((tx) => AUTHORIZE(tx, values));
  if (row === undefined) return { connection: null, hits: null };
  const { connectionHits, tenantHits, ...connection } = row;
  return {
    connection,
    hits: connectionHits === null ? null : { connection: connectionHits, tenant: tenantHits },
  };
}

async function authorizeInParts(store: Store, call: CallValues): Promise<AssistantCallAuthority> {
  const windows = await store.statement((tx) => FIND_AND_COUNT(tx, call));
  const own = windows.find(({ subject }) => subject === call.subject);
  const [row] = own === undefined ? await store.statement((tx) => FIND(tx, call)) : [own];
  if (row === undefined) return { connection: null, hits: null };
  if (row.revoked || row.removed) return { connection: row, hits: null };
  const shared = windows.find(({ subject }) => subject !== call.subject);
  const hits = await countOf(store, { ...call, requests: 1 }, { own: own?.hits, shared: shared?.hits });
  if (row.isUseDue) await store.statement((tx) => NOTE_USE(tx, call));
  return { connection: row, hits };
}

/** Requests that came in one body with a call that was let in: all of a batch but the first. */
interface FurtherRequests extends Pick<AssistantCall, "tenantId" | "connectionId" | "minute" | "connectionLimit"> {
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

async function countOf(store: Store, further: FurtherRequests, already: AlreadyCounted = {}): Promise<Hits> {
  const { tenantId, minute, requests, connectionLimit: limit } = further;
  const subject = subjectOf(further);
  const counted = { tenantId, subject, shared: "connections", minute, requests, limit } as const;
  const { own, shared } = await countRequests(store, counted, already);
  return { connection: own, tenant: shared };
}

/** What the requests of one connection are counted under. */
function subjectOf({ connectionId }: Pick<AssistantCall, "connectionId">) {
  return `connection:${connectionId}`;
}
