import { sql } from "kysely";
import type { Transaction } from "../../store/store.ts";
import type { PasswordResetRow } from "../../store/tables/identity.ts";
import type { Stamping } from "../gate/dependencies.ts";
import { queueMail } from "../mail/outgoing-queries.ts";

/** What the mail of a reset leads to. Through the directory. */
export function selectResetToMail(tx: Transaction, resetId: string) {
  return tx
    .selectFrom("password_resets")
    .select(["token_hash", "expires_at", "used_at"])
    .where("reset_id", "=", resetId)
    .executeTakeFirst();
}

/** A reset to be mailed to the person of an email. */
export interface NewReset extends Omit<PasswordResetRow, "person_id" | "used_at"> {
  /** Lower case. */
  readonly email: string;
}

const HAS_PASSWORD = sql<boolean>`password_hash is not null`.as("has_password");

/** The person of an email. */
export function selectPersonToReset(tx: Transaction, email: string) {
  return tx.selectFrom("people").select(["person_id", HAS_PASSWORD]).where("email", "=", email).executeTakeFirst();
}

/** Makes a reset of a person and queues its mail, through one of their workspaces. */
export async function insertReset(
  tx: Transaction,
  core: Stamping,
  { email, tenantId, personId, ...reset }: NewReset & { tenantId: string; personId: string },
) {
  await tx
    .insertInto("password_resets")
    .values({ ...reset, person_id: personId, used_at: null })
    .execute();
  const mail = { tenant_id: tenantId, recipient: email, subject_id: reset.reset_id };
  await queueMail(tx, core, { ...mail, kind: "password_reset" });
}

/** A reset that can be used: whose, and whether they have a password. Locked until the transaction ends. For a system transaction. */
export function usableReset(tx: Transaction, tokenHash: string, { isLocked, now }: { isLocked: boolean; now: string }) {
  return tx
    .selectFrom("password_resets as reset")
    .innerJoin("people as person", "person.person_id", "reset.person_id")
    .select(["person.person_id", "person.email", "reset.signed_in_at", HAS_PASSWORD])
    .where("reset.token_hash", "=", tokenHash)
    .where("reset.used_at", "is", null)
    .where("reset.expires_at", ">", now)
    .$if(isLocked, (usable) => usable.forUpdate())
    .executeTakeFirst();
}

/** Ends every reset of a person: links in other mails stop working. */
export async function endResetsOf(tx: Transaction, personId: string, now: string) {
  await tx
    .updateTable("password_resets")
    .set({ used_at: now })
    .where("person_id", "=", personId)
    .where("used_at", "is", null)
    .execute();
}
