import { ofTenantsAt } from "../src/store/identity/tenant-routes.ts";
import type { Transaction } from "../src/store/store.ts";
import { accountsOf, countsIn, hasProvider, opensByPassword, type SignedIn } from "./sign-in-reach-queries.ts";

/** The first `most` workspaces, by name, of which a person is a live member and for which their sign-in counts. */
export async function selectMemberships(tx: Transaction, who: SignedIn, most = Number.POSITIVE_INFINITY) {
  const { personId, tenantId } = who;
  const route = { kind: "person", key: personId } as const;
  const counted = (id: string) => membershipsIn(tx, id, personId).where(countsIn(who, id)).execute();
  return byName(await ofTenantsAt(tx, route, counted, tenantId)).slice(0, most);
}

/** Those for which their sign-in does not count, where it is no provider's, which must not learn of the others. */
export async function selectClosedMemberships(tx: Transaction, who: SignedIn) {
  const { personId, tenantId } = who;
  if (tenantId !== null) return [];
  const closed = (id: string) =>
    membershipsIn(tx, id, personId)
      .where(({ not }) => not(countsIn(who, id)))
      .select(countsIn({ tenantId, secondFactor: true }, id).as("lacksFactor"))
      .execute();
  return byName(await ofTenantsAt(tx, { kind: "person", key: personId }, closed));
}

/** The same in all workspaces: for settings that are the person's own. */
export async function selectAllMemberships(tx: Transaction, personId: string, most = Number.POSITIVE_INFINITY) {
  const route = { kind: "person", key: personId } as const;
  return byName(await ofTenantsAt(tx, route, (id) => membershipsIn(tx, id, personId).execute())).slice(0, most);
}

/** The same, each with how it is opened: by a password, and by a provider, with who they are to it. */
export async function selectWaysIn(tx: Transaction, personId: string) {
  const ways = (id: string) =>
    membershipsIn(tx, id, personId)
      .select([opensByPassword(id).as("byPassword"), hasProvider(id).as("hasProvider"), accountsOf(id).as("accounts")])
      .execute();
  return byName(await ofTenantsAt(tx, { kind: "person", key: personId }, ways));
}

function byName<T extends { name: string; tenantId: string }>(memberships: T[]): T[] {
  const place = ({ name, tenantId }: T): string => `${name}\0${tenantId}`;
  return memberships.sort((one, other) => (place(one) < place(other) ? -1 : 1));
}

function membershipsIn(tx: Transaction, tenantId: string, personId: string) {
  return tx
    .selectFrom("members as member")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "member.tenant_id")
    .select([
      "tenant.tenant_id as tenantId",
      "tenant.name",
      "tenant.timezone",
      "tenant.assistant_access as assistantAccess",
      "tenant.assistants",
      "member.member_id as memberId",
      "member.role",
    ])
    .where((column) => column.and({ "tenant.tenant_id": tenantId, "member.tenant_id": tenantId }))
    .where((column) => column.and({ "member.person_id": personId, "member.removed_at": null }));
}
