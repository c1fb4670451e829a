import type { Transaction } from "../src/store/store.ts";
import type { WebSessionRow } from "../src/store/tables/identity.ts";

/** Who has this email (lower case), and what their password is checked against. */
export function selectPersonByEmail(tx: Transaction, email: string) {
  return tx.selectFrom("people").select(["person_id", "password_hash"]).where("email", "=", email).executeTakeFirst();
}

export async function insertSession(tx: Transaction, row: WebSessionRow): Promise<void> {
  await tx.insertInto("web_sessions").values(row).execute();
}

/** A session that has not expired, with its person, and whether they are an admin of any workspace it counts for. */
export function selectSession(tx: Transaction, sessionHash: string, now: string) {
  return tx
    .selectFrom("web_sessions as session")
    .innerJoin("people as person", "person.person_id", "session.person_id")
    .select(["session.session_hash", "session.tenant_id", "session.created_at"])
    .select(["person.person_id", "person.email", "person.name"])
    .select(({ exists, selectFrom, ref }) =>
      exists(
        selectFrom("members")
          .select("members.member_id")
          .whereRef("members.person_id", "=", "person.person_id")
          .where(({ or, eb }) =>
            or([eb(ref("session.tenant_id"), "is", null), eb("members.tenant_id", "=", ref("session.tenant_id"))]),
          )
          .where("members.removed_at", "is", null)
          .where("members.role", "=", "admin"),
      ).as("administers"),
    )
    .where("session.session_hash", "=", sessionHash)
    .where("session.expires_at", ">", now)
    .executeTakeFirst();
}

export async function deleteSession(tx: Transaction, sessionHash: string): Promise<void> {
  await tx.deleteFrom("web_sessions").where("session_hash", "=", sessionHash).execute();
}

/** Whether a session has not been ended, which stays so until the transaction ends. */
export async function holdSession(tx: Transaction, sessionHash: string): Promise<boolean> {
  const row = await tx
    .selectFrom("web_sessions")
    .select("session_hash")
    .where("session_hash", "=", sessionHash)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a person still has the password of this hash, which stays so until the transaction ends. */
export async function holdPassword(tx: Transaction, personId: string, passwordHash: string): Promise<boolean> {
  const row = await tx
    .selectFrom("people")
    .select("person_id")
    .where("person_id", "=", personId)
    .where("password_hash", "=", passwordHash)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Who signed in, and where that counts. */
export interface SignedIn {
  readonly personId: string;
  /**
   * The one workspace the sign-in counts for: its OpenID provider vouched for the person, and answers for no other
   * workspace of theirs, nor for what is theirs everywhere (such as the password). Null where they proved themselves to us.
   */
  readonly tenantId: string | null;
}
