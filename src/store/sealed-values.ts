import { sql } from "kysely";
import { addRoutes } from "./identity/tenant-routes.ts";
import type { Transaction } from "./store.ts";
import { TENANT_TABLES } from "./tables/index.ts";

/** Where values stand that are kept encrypted; each is bound to `<table>/<id>`. */
export const SEALED_COLUMNS = [
  { table: "erp_connections", column: "credential", id: "connection_id" },
  { table: "payment_integrations", column: "secrets", id: "payment_integration_id" },
  { table: "signing_keys", column: "private_jwk", id: "kid" },
  { table: "sign_in_providers", column: "client_secret", id: "tenant_id" },
  { table: "second_factors", column: "secret", id: "person_id" },
  { table: "oidc_artifacts", column: "payload", id: "id_hash", field: "client_secret" },
] as const satisfies readonly { table: string; column: string; id: string; field?: string }[];

export type SealedColumn = (typeof SEALED_COLUMNS)[number];

export interface SealedValue {
  id: string;
  sealed: string;
  /** Null for what is in the directory. */
  tenantId: string | null;
}

/** Every value of one column, of all tenants. */
export async function sealedValues(tx: Transaction, place: SealedColumn): Promise<SealedValue[]> {
  const { rows } = await sql<SealedValue>`
    select ${sql.ref(place.id)}::text as id, ${sealedIn(place)} as sealed,
      ${isOfTenant(place) ? sql`tenant_id` : sql`null::uuid`} as "tenantId"
    from ${sql.table(place.table)} where ${sealedIn(place)} is not null`.execute(tx);
  return rows;
}

const isOfTenant = ({ table }: SealedColumn): boolean => TENANT_TABLES.has(table);

/** Puts another in a value's place; false when it is not there any more. */
export async function replaceSealedValue(
  tx: Transaction,
  place: SealedColumn,
  { id, sealed, tenantId }: SealedValue,
  replacement: string,
): Promise<boolean> {
  const changed =
    "field" in place
      ? sql`jsonb_set(${sql.ref(place.column)}, array[${place.field}], to_jsonb(${replacement}::text))`
      : sql`${replacement}`;
  const { rows } = await sql`
    update ${sql.table(place.table)} set ${sql.ref(place.column)} = ${changed}
    where ${tenantId === null ? sql`true` : sql`tenant_id = ${tenantId}::uuid`}
      and ${sql.ref(place.id)}::text = ${id} and ${sealedIn(place)} = ${sealed} returning 1 as done`.execute(tx);
  return rows.length > 0;
}

/** An invitation that can be accepted and whose mail is not written yet. */
interface UnmailedInvitation {
  tenantId: string;
  invitationId: string;
}

/** Those of all tenants. */
export async function unmailedInvitations(tx: Transaction): Promise<UnmailedInvitation[]> {
  const { rows } = await sql<UnmailedInvitation>`
    select invitation.tenant_id as "tenantId", invitation.invitation_id as "invitationId" from invitations as invitation
    join outgoing_mails as mail
      on mail.tenant_id = invitation.tenant_id and mail.subject_id = invitation.invitation_id
    where invitation.accepted_at is null and invitation.withdrawn_at is null
      and mail.kind = 'invitation' and mail.status = 'queued'`.execute(tx);
  return rows;
}

export async function replaceInvitationToken(
  tx: Transaction,
  { tenantId, invitationId }: UnmailedInvitation,
  tokenHash: string,
): Promise<void> {
  await addRoutes(tx, tenantId, [{ kind: "invitation", key: tokenHash }]);
  await tx
    .updateTable("invitations")
    .set({ token_hash: tokenHash })
    .where((column) => column.and({ tenant_id: tenantId, invitation_id: invitationId }))
    .execute();
}

const sealedIn = (place: SealedColumn) =>
  "field" in place ? sql`${sql.ref(place.column)} ->> ${sql.lit(place.field)}` : sql.ref(place.column);
