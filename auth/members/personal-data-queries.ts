import { type RawBuilder, sql } from "kysely";
import { tenantsAt } from "../../src/store/identity/tenant-routes.ts";
import { anyOf, columns } from "../../src/store/recordset.ts";
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

/** What is shown of a row; secrets and their digests are not. */
type Shown = readonly string[];

/** Tables of a workspace in which a person stands: the column, whether it has their email or a membership, and what is shown. */
export const IN_WORKSPACE: Readonly<Record<string, readonly [column: string, is: "email" | "member", shown: Shown]>> = {
  members: ["email", "email", ["member_id", "email", "name", "role", "created_at", "removed_at"]],
  invitations: ["email", "email", ["email", "role", "created_at", "expires_at", "accepted_at", "withdrawn_at"]],
  outgoing_mails: ["recipient", "email", ["kind", "recipient", "status", "created_at", "sent_at"]],
  member_identities: ["member_id", "member", ["issuer", "subject", "created_at", "removed_at"]],
  assistant_connections: [
    "member_id",
    "member",
    ["connection_id", "client_name", "scopes", "created_at", "last_used_at", "revoked_at"],
  ],
  tasks: ["assignee_id", "member", ["task_id", "type", "state", "created_at"]],
  workflows: ["assignee_id", "member", ["workflow_id", "type", "name"]],
  payment_links: ["created_by_id", "member", ["payment_link_id", "invoice_id", "state", "created_at"]],
  audit_entries: [
    "actor_id",
    "member",
    ["at", "operation", "object_type", "object_id", "outcome", "connection_id", "details", "request_id"],
  ],
};

/** The same of the directory, where a person stands by their id. */
export const IN_DIRECTORY: Readonly<Record<string, readonly [column: string, shown: Shown]>> = {
  people: ["person_id", ["person_id", "email", "name", "created_at"]],
  web_sessions: ["person_id", ["created_at", "expires_at", "address", "user_agent", "second_factor"]],
  sign_in_addresses: ["person_id", ["last_at"]],
  password_resets: ["person_id", ["created_at", "expires_at", "used_at"]],
  second_factors: ["person_id", ["created_at", "confirmed_at"]],
  recovery_codes: ["person_id", ["person_id"]],
  oidc_artifacts: ["payload->>'accountId'", ["model", "expires_at"]],
};

/** The person of an email in a workspace; null where it knows nothing of that email. */
export async function findWhom(tx: Transaction, tenantId: string, email: string) {
  const members = await tx
    .selectFrom("members")
    .select(["member_id", "person_id", "removed_at"])
    .where((column) => column.and({ tenant_id: tenantId, email }))
    .execute();
  const memberIds = members.map((row) => row.member_id);
  const whom: Whom = { tenantId, email, memberIds, personId: members[0]?.person_id ?? null };
  const kept = await keptInWorkspace(tx, whom);
  if (Object.keys(kept).length === 0) return null;
  return { whom, kept, isLive: members.some((row) => row.removed_at === null) };
}

type Kept = Record<string, Record<string, unknown>[]>;

/** What a workspace keeps about a person, by table. */
async function keptInWorkspace(tx: Transaction, { tenantId, email, memberIds }: Whom): Promise<Kept> {
  const kept: Kept = {};
  for (const [table, [column, is, shown]] of Object.entries(IN_WORKSPACE)) {
    const value = is === "email" ? sql`${email}` : anyOf(memberIds, "uuid");
    const { rows } = await sql<Record<string, unknown>>`select ${columns(shown)} from ${sql.table(table)}
      where tenant_id = ${tenantId} and ${sql.ref(column)} = ${value}`.execute(tx);
    if (rows.length > 0) kept[table] = rows;
  }
  return kept;
}

/** What the directory keeps about a person, by table. */
export async function keptInDirectory(tx: Transaction, personId: string): Promise<Kept> {
  const kept: Kept = {};
  for (const [table, [column, shown]] of Object.entries(IN_DIRECTORY)) {
    const { rows } = await sql<Record<string, unknown>>`select ${columns(shown)} from ${sql.table(table)}
      where ${sql.raw(column)} = ${personId}`.execute(tx);
    if (rows.length > 0) kept[table] = rows;
  }
  return kept;
}

/** Takes a person's name and addresses out of a workspace. What they did stays, under a membership that names nobody. */
export async function eraseInWorkspace(tx: Transaction, { tenantId, email, memberIds, personId }: Whom, now: string) {
  const ofMember = (column: string): RawBuilder<unknown> =>
    sql`where tenant_id = ${tenantId} and ${sql.ref(column)} = ${anyOf(memberIds, "uuid")}`;
  await sql`delete from invitations where tenant_id = ${tenantId} and email = ${email}`.execute(tx);
  await sql`delete from outgoing_mails where tenant_id = ${tenantId} and recipient = ${email}`.execute(tx);
  if (personId === null) return;
  await sql`update members set email = ${erasedEmail(personId)}, name = null ${ofMember("member_id")}`.execute(tx);
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
  for (const [table, [column]] of Object.entries(IN_DIRECTORY))
    if (table !== "people")
      await sql`delete from ${sql.table(table)} where ${sql.raw(column)} = ${personId}`.execute(tx);
  await tx
    .updateTable("people")
    .set({ email: erasedEmail(personId), name: null, password_hash: null })
    .where("person_id", "=", personId)
    .execute();
  return "erased";
}

/** An address that nobody can have (RFC 2606 §2). */
const erasedEmail = (personId: string): string => `erased-${personId}@erased.invalid`;
