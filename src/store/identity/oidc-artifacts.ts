import { sql } from "kysely";
import { lockNumber } from "../named-lock.ts";
import type { Transaction } from "../store.ts";
import type { OidcArtifactRow } from "../tables/identity.ts";

/** Which artifact of the authorization server: what it is, and the digest of its id. */
interface ArtifactKey {
  model: string;
  idHash: string;
}

type NewArtifact = Pick<OidcArtifactRow, "model" | "id_hash" | "grant_id" | "uid" | "expires_at"> & {
  payload: string;
  holder: string;
};

/** Writes an artifact, or replaces what an earlier one of the same id held; whose it is stays. */
export async function upsertArtifact(tx: Transaction, artifact: NewArtifact): Promise<void> {
  const { payload, grant_id, uid, expires_at } = artifact;
  await tx
    .insertInto("oidc_artifacts")
    .values({ ...artifact, consumed_at: null })
    .onConflict((conflict) =>
      conflict.columns(["model", "id_hash"]).doUpdateSet({ payload, grant_id, uid, expires_at }),
    )
    .execute();
}

/** An artifact that has not expired; the caller knows the type of its payload. */
export function findArtifact<Payload>(tx: Transaction, { model, idHash }: ArtifactKey, now: string) {
  return tx
    .selectFrom("oidc_artifacts")
    .select([sql<Payload>`payload`.as("payload"), "consumed_at"])
    .where((column) => column.and({ model, id_hash: idHash }))
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .executeTakeFirst();
}

/** Consumes an artifact that can be used once; false when somebody already has. */
export async function consumeArtifact(tx: Transaction, { model, idHash }: ArtifactKey, now: string): Promise<boolean> {
  const consumed = await tx
    .updateTable("oidc_artifacts")
    .set({ consumed_at: now })
    .where((column) => column.and({ model, id_hash: idHash }))
    .where("consumed_at", "is", null)
    .executeTakeFirst();
  return consumed.numUpdatedRows > 0n;
}

/**
 * Consumes a refresh token, and with it every other one of its family (those of one approval) that is as old or older:
 * of a family only the newest generation stays unused. False when it was consumed at or before `graceStart`. Those of a grant do so
 * one after the other: each writes to the others' rows.
 */
export async function consumeRefreshToken(
  tx: Transaction,
  { model, idHash }: ArtifactKey,
  { now, graceStart }: { now: string; graceStart: string },
): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${lockNumber(sql`'refreshes of ' || grant_id`)}) from oidc_artifacts
    where model = ${model} and id_hash = ${idHash}`.execute(tx);
  const { rows } = await sql`
    with used as (
      update oidc_artifacts set consumed_at = coalesce(consumed_at, ${now}::timestamptz)
      where model = ${model} and id_hash = ${idHash}
        and (consumed_at is null or consumed_at > ${graceStart}::timestamptz)
      returning id_hash, grant_id, payload->>'sessionUid' as family, (payload->>'rotations')::int as generation
    ), siblings as (
      update oidc_artifacts as sibling set consumed_at = ${now}::timestamptz from used
      where sibling.model = ${model} and sibling.grant_id = used.grant_id and sibling.id_hash <> used.id_hash
        and sibling.payload->>'sessionUid' is not distinct from used.family
        and sibling.consumed_at is null and (sibling.payload->>'rotations')::int <= used.generation
    )
    select 1 from used`.execute(tx);
  return rows.length > 0;
}

/** The grant an artifact belongs to; null for none. */
export async function grantOfArtifact(tx: Transaction, { model, idHash }: ArtifactKey): Promise<string | null> {
  const row = await tx
    .selectFrom("oidc_artifacts")
    .select("grant_id")
    .where((column) => column.and({ model, id_hash: idHash }))
    .executeTakeFirst();
  return row?.grant_id ?? null;
}

export async function deleteArtifact(tx: Transaction, { model, idHash }: ArtifactKey): Promise<void> {
  await tx.deleteFrom("oidc_artifacts").where("model", "=", model).where("id_hash", "=", idHash).execute();
}

/** Deletes every code and token of the grants; of one model alone where it is named. */
export async function deleteArtifactsOfGrants(
  tx: Transaction,
  grantIds: readonly string[],
  model?: string,
): Promise<void> {
  if (grantIds.length === 0) return;
  await tx
    .deleteFrom("oidc_artifacts")
    .where("grant_id", "in", grantIds)
    .$if(model !== undefined, (query) => query.where("model", "=", model ?? ""))
    .execute();
}

/** Deletes the refresh tokens of a grant's earlier approvals, once a later one has tokens of its own. */
export async function deleteEarlierFamilies(
  tx: Transaction,
  { model, grantId, family }: { model: string; grantId: string; family: string },
): Promise<void> {
  await tx
    .deleteFrom("oidc_artifacts")
    .where((column) => column.and({ model, grant_id: grantId }))
    .where(sql<string>`payload->>'sessionUid'`, "<>", family)
    .execute();
}

/**
 * Of the artifacts of a model that expire, keeps `most`: beyond them the holder of most loses the first of theirs, so that
 * nobody pushes out another's. Where all hold as many, a person's go last.
 */
export async function deleteFirstToExpire(tx: Transaction, model: string, most: number) {
  const those = sql`model = ${model} and expires_at is not null`;
  await sql`
    delete from oidc_artifacts where ${those} and id_hash = any(array(
      select id_hash from oidc_artifacts where ${those} and holder = (
        select holder from oidc_artifacts where ${those}
        group by holder order by count(*) desc, holder like 'person:%', min(expires_at) limit 1)
      order by expires_at
      limit (select greatest(count(*) - ${most}::int, 0) from oidc_artifacts where ${those})))`.execute(tx);
}

/** Whether more than `most` artifacts of a grant are kept, used up ones too. */
export async function hasMoreOfGrant(tx: Transaction, grantId: string, most: number) {
  const beyond = tx
    .selectFrom("oidc_artifacts")
    .select("id_hash")
    .where("grant_id", "=", grantId)
    .offset(most)
    .limit(1);
  return (await beyond.executeTakeFirst()) !== undefined;
}

/** Whose an interaction or a client is that a person opened, until it is decided. */
export const holderOf = (personId: string) => `person:${personId}`;

/** Makes a person the holder of interactions and clients; in their order, which is that of who decides. */
export async function claimArtifacts(tx: Transaction, idHashes: readonly string[], personId: string): Promise<void> {
  for (const idHash of idHashes)
    await tx
      .updateTable("oidc_artifacts")
      .set({ holder: holderOf(personId) })
      .where("model", "in", ["Interaction", "Client"])
      .where("id_hash", "=", idHash)
      .execute();
}

/** Keeps an artifact for good: it counts as nobody's any more. */
export async function keepArtifact(tx: Transaction, { model, idHash }: ArtifactKey): Promise<void> {
  await tx
    .updateTable("oidc_artifacts")
    .set({ expires_at: null, holder: "" })
    .where((column) => column.and({ model, id_hash: idHash }))
    .execute();
}

/** Replaces the payload of every artifact of that kind that a grant has. */
export async function rewriteArtifactsOfGrant(
  tx: Transaction,
  { grantId, model }: { grantId: string; model: string },
  change: (payload: object) => object,
): Promise<void> {
  const rows = await tx
    .selectFrom("oidc_artifacts")
    .select(["id_hash", sql<object>`payload`.as("payload")])
    .where((column) => column.and({ grant_id: grantId, model }))
    .forUpdate()
    .execute();
  for (const { id_hash: idHash, payload } of rows)
    await tx
      .updateTable("oidc_artifacts")
      .set({ payload: JSON.stringify(change(payload)) })
      .where((column) => column.and({ model, id_hash: idHash }))
      .execute();
}

/** Whether a code or refresh token of one of these digests is kept, used up ones too. For a system transaction. */
export async function hasToken(tx: Transaction, idHashes: readonly string[]): Promise<boolean> {
  const row = await tx
    .selectFrom("oidc_artifacts")
    .select("id_hash")
    .where("model", "in", ["AuthorizationCode", "RefreshToken"])
    .where("id_hash", "in", idHashes)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
