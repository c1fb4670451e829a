import type { Account } from "oidc-provider";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { personExists, selectLiveConnection } from "../connection-queries.ts";

/**
 * The person tokens are issued to. With a grant, only while its connection and their membership live: a code or
 * refresh token of an ended one then is an `invalid_grant`, even where rows of it are still stored.
 */
export async function accountOf(
  core: Pick<Core, "store">,
  personId: string,
  grantId: string | undefined,
): Promise<Account | undefined> {
  const claims = (): { sub: string } => ({ sub: personId });
  return core.store.system(async (tx) => {
    if (grantId === undefined) return (await personExists(tx, personId)) ? { accountId: personId, claims } : undefined;
    const connection = await selectLiveConnection(tx, grantId, personId);
    return connection === undefined ? undefined : { accountId: personId, claims, tenantId: connection.tenant_id };
  });
}
