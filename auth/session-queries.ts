import { type Insertable, sql } from "kysely";
import type { Transaction } from "../src/store/store.ts";
import type { WebSessionRow } from "../src/store/tables/identity.ts";

/** The person with this email (lower case), and the hash of their password. */
export function selectPersonByEmail(tx: Transaction, email: string) {
  return tx
    .selectFrom("people")
    .select(["person_id", "name", "password_hash"])
    .where("email", "=", email)
    .executeTakeFirst();
}

export async function selectPasswordHash(tx: Transaction, personId: string): Promise<string | null> {
  const person = tx.selectFrom("people").select("password_hash").where("person_id", "=", personId);
  return (await person.executeTakeFirst())?.password_hash ?? null;
}

/** Starts a session, and ends the person's oldest of its kind beyond the latest `most`. */
export async function insertSession(tx: Transaction, row: Insertable<WebSessionRow>, most: number): Promise<void> {
  await tx.insertInto("web_sessions").values(row).execute();
  const { session_hash: started, person_id: personId, tenant_id: tenantId } = row;
  await sql`delete from web_sessions where person_id = ${personId} and session_hash in (
    select session_hash from web_sessions
    where person_id = ${personId} and tenant_id is not distinct from ${tenantId}::uuid and session_hash <> ${started}
    order by created_at desc, session_hash offset ${most - 1}::int)`.execute(tx);
}

/** A session that has not expired, with its person. */
export function selectSession(tx: Transaction, sessionHash: string, now: string) {
  return tx
    .selectFrom("web_sessions as session")
    .innerJoin("people as person", "person.person_id", "session.person_id")
    .select(["session.session_hash as id", "session.tenant_id as tenantId", "session.created_at as createdAt"])
    .select(["person.person_id as personId", "person.email", "person.name", "session.second_factor as secondFactor"])
    .where("session.session_hash", "=", sessionHash)
    .where("session.expires_at", ">", now)
    .executeTakeFirst();
}

export async function deleteSession(tx: Transaction, sessionHash: string): Promise<void> {
  await tx.deleteFrom("web_sessions").where("session_hash", "=", sessionHash).execute();
}

/** Whether a session is live, which does not change until the transaction ends. */
export async function holdSession(tx: Transaction, sessionHash: string): Promise<boolean> {
  const session = tx.selectFrom("web_sessions").select("session_hash").where("session_hash", "=", sessionHash);
  return (await session.forShare().executeTakeFirst()) !== undefined;
}

/** Whether a person's password still has this hash, which does not change until the transaction ends; concurrent callers wait for each other. */
export async function holdPassword(tx: Transaction, personId: string, passwordHash: string): Promise<boolean> {
  const row = await tx
    .selectFrom("people")
    .select("person_id")
    .where((column) => column.and({ person_id: personId, password_hash: passwordHash }))
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whose sessions; one that a workspace's provider vouched for sees only those of the same kind. */
interface OwnSessions {
  readonly personId: string;
  readonly tenantId: string | null;
}

export function selectOwnSessions(tx: Transaction, { personId, tenantId }: OwnSessions, now: string) {
  return tx
    .selectFrom("web_sessions")
    .select(["session_hash as id", "user_agent as userAgent", "address"])
    .select(["created_at as createdAt", "expires_at as expiresAt"])
    .where("person_id", "=", personId)
    .$if(tenantId !== null, (query) => query.where("tenant_id", "=", tenantId))
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .orderBy("session_hash")
    .execute();
}

export async function deleteOwnSession(tx: Transaction, who: OwnSessions, sessionHash: string): Promise<void> {
  await ownSessions(tx, who).where("session_hash", "=", sessionHash).execute();
}

/** Ends all of a person's sessions but one. */
export async function deleteOtherSessions(tx: Transaction, who: OwnSessions & { readonly id: string }): Promise<void> {
  await ownSessions(tx, who).where("session_hash", "!=", who.id).execute();
}

function ownSessions(tx: Transaction, { personId, tenantId }: OwnSessions) {
  return tx
    .deleteFrom("web_sessions")
    .where("person_id", "=", personId)
    .$if(tenantId !== null, (query) => query.where("tenant_id", "=", tenantId));
}

/** Ends browser sessions that a workspace's provider vouched for: a person's, or everybody's. */
export async function deleteVouchedSessions(
  tx: Transaction,
  { tenantId, personId }: { tenantId: string; personId: string | null },
): Promise<void> {
  await tx
    .deleteFrom("web_sessions")
    .where("tenant_id", "=", tenantId)
    .$if(personId !== null, (query) => query.where("person_id", "=", personId ?? ""))
    .execute();
}
