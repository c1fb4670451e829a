import { type RawBuilder, sql } from "kysely";
import { holderOf } from "../../src/store/identity/oidc-artifacts.ts";
import { tenantsAt } from "../../src/store/identity/tenant-routes.ts";
import { countRows } from "../../src/store/keyset.ts";
import { anyOf } from "../../src/store/recordset.ts";
import { touchMember } from "../../src/store/renamed-members.ts";
import type { Transaction } from "../../src/store/store.ts";

/** A person as one workspace knows them. */
export interface Whom {
  readonly tenantId: string;
  /** Lower case. */
  readonly email: string;
  /** Every membership they ever had there. */
  readonly memberIds: readonly string[];
  /** Null of somebody who was only invited. */
  readonly personId: string | null;
}

type Places = Readonly<Record<string, string>>;

/** Tables of a workspace in which a person stands, with the column that has their email. */
export const BY_EMAIL: Places = { members: "email", invitations: "email", outgoing_mails: "recipient" };
/** The same with a membership of theirs. */
export const BY_MEMBER: Places = {
  member_identities: "member_id",
  member_news: "member_id",
  renamed_members: "member_id",
  assistant_connections: "member_id",
  customer_notes: "author_id",
  tasks: "assignee_id",
  workflows: "assignee_id",
  payment_links: "created_by_id",
  audit_entries: "actor_id",
};
/** Tables of the directory, with what names the person. */
export const BY_PERSON: Places = {
  people: "person_id",
  web_sessions: "person_id",
  sign_in_addresses: "person_id",
  password_resets: "person_id",
  second_factors: "person_id",
  recovery_codes: "person_id",
  oidc_artifacts: "payload->>'accountId'",
};

/** The person of an email in a workspace, and what is kept there; null where it knows nothing of that email. */
export async function findWhom(tx: Transaction, tenantId: string, email: string) {
  const members = await tx
    .selectFrom("members")
    .select(["member_id", "person_id", "removed_at"])
    .where((column) => column.and({ tenant_id: tenantId, email }))
    .execute();
  const memberIds = members.map((row) => row.member_id);
  const whom: Whom = { tenantId, email, memberIds, personId: members[0]?.person_id ?? null };
  const here = sql`kept.tenant_id = ${tenantId} and`;
  const kept = {
    ...(await keptIn(tx, BY_EMAIL, (column) => sql`${here} ${column} = ${email}`)),
    ...(await keptIn(tx, BY_MEMBER, (column) => sql`${here} ${column} = ${anyOf(memberIds, "uuid")}`)),
  };
  if (Object.keys(kept).length === 0) return null;
  return { whom, kept, isLive: members.some((row) => row.removed_at === null) };
}

/** What the directory keeps about a person, by table. */
export function keptInDirectory(tx: Transaction, personId: string) {
  return keptIn(tx, BY_PERSON, (column) => sql`${column} = ${personId}`);
}

/** Rows of a table that are shown at once: the embedded store answers nobody else meanwhile, and memory holds all of them. */
const MOST_ROWS = 10_000;

/** Rows by table, their values as text; secrets and their digests are left out. Of more than that, how many there are. */
async function keptIn(tx: Transaction, places: Places, where: (column: RawBuilder<unknown>) => RawBuilder<unknown>) {
  const kept: Record<string, Record<string, string | null>[]> = {};
  for (const [table, column] of Object.entries(places)) {
    const own = sql`from ${sql.table(table)} as kept where ${where(sql.raw(`kept.${column}`))}`;
    const { rows } = await sql<{ row: Record<string, string | null> }>`
      select (select jsonb_object_agg(key, value) from jsonb_each_text(to_jsonb(kept))
        where key !~ '(hash|secret|payload)$') as row
      ${own} limit ${MOST_ROWS}`.execute(tx);
    if (rows.length > 0) kept[table] = rows.map(({ row }) => row);
    if (rows.length < MOST_ROWS) continue;
    kept[`all ${table}`] = [{ count: String(await countRows(tx, sql`(select ${own})`)) }];
  }
  return kept;
}

/** Takes a person's name and addresses out of a workspace. What they did stays, under a membership that names nobody. */
export async function eraseInWorkspace(tx: Transaction, { tenantId, email, memberIds, personId }: Whom, now: string) {
  const ofMember = (column: string) =>
    sql`where tenant_id = ${tenantId} and ${sql.ref(column)} = ${anyOf(memberIds, "uuid")}`;
  await sql`delete from invitations where tenant_id = ${tenantId} and email = ${email}`.execute(tx);
  await sql`delete from outgoing_mails where tenant_id = ${tenantId} and recipient = ${email}`.execute(tx);
  if (personId === null) return;
  await sql`update members set email = ${erasedEmail(personId)}, name = null ${ofMember("member_id")}`.execute(tx);
  for (const memberId of memberIds) await touchMember(tx, { tenantId, memberId, at: now });
  await sql`update member_identities set subject = identity_id::text, removed_at = coalesce(removed_at, ${now})
    ${ofMember("member_id")}`.execute(tx);
  const about = `{${memberIds.join(",")}}`;
  await sql`update audit_entries set details = details - '{address,account}'::text[]
    where tenant_id = ${tenantId} and (actor_id = ${anyOf(memberIds, "uuid")}
      or length(object_id) = 36 and object_id = any(${about}::text[]))`.execute(tx);
  await tx
    .deleteFrom("tenant_routes")
    .where((column) => column.and({ kind: "person", key: personId, tenant_id: tenantId }))
    .execute();
}

/** Takes a person out of the directory, unless a workspace still knows them. */
export async function eraseAccount(tx: Transaction, personId: string): Promise<"erased" | "kept"> {
  if ((await tenantsAt(tx, { kind: "person", key: personId }, 1)).length > 0) return "kept";
  for (const [table, column] of Object.entries(BY_PERSON))
    if (table !== "people")
      await sql`delete from ${sql.table(table)} where ${sql.raw(column)} = ${personId}`.execute(tx);
  await tx.deleteFrom("oidc_artifacts").where("holder", "=", holderOf(personId)).execute();
  await tx
    .updateTable("people")
    .set({ email: erasedEmail(personId), name: null, password_hash: null })
    .where("person_id", "=", personId)
    .execute();
  return "erased";
}

/** An address that nobody can have (RFC 2606 §2). */
const erasedEmail = (personId: string): string => `erased-${personId}@erased.invalid`;
