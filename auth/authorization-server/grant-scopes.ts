import type Provider from "oidc-provider";
import { z } from "zod";
import { parseScopes, type Scope } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { rewriteArtifactsOfGrant } from "../../src/store/identity/oidc-artifacts.ts";
import type { Transaction } from "../../src/store/store.ts";
import { selectLiveConnection } from "../connection-queries.ts";

/** The lists a connection's client asked for, `asked` among them; each once. */
export function addAsked(lists: readonly string[], asked: readonly Scope[]) {
  return [...new Set(asked.length === 0 ? lists : [...lists, asked.join(" ")])];
}

/**
 * Takes the scopes off a refresh that repeats a list its client once asked for, as many clients do each time: it means
 * all that was granted (completions §11). Any other list narrows the token; the provider refuses one beyond it.
 */
export async function refreshScopes(
  { store }: Pick<Core, "store">,
  provider: Provider,
  params: URLSearchParams,
): Promise<URLSearchParams> {
  const scope = params.get("scope");
  if (scope === null || params.get("grant_type") !== "refresh_token") return params;
  const token = await provider.RefreshToken.find(params.get("refresh_token") ?? "");
  if (token?.grantId === undefined) return params;
  const { grantId, accountId } = token;
  const connection = await store.directory((tx) => selectLiveConnection(tx, grantId, accountId));
  const widened = new URLSearchParams(params);
  if (connection?.asked_scopes.includes(scope)) widened.delete("scope");
  return widened;
}

/** The part of a stored grant with its scopes by resource; the rest is unchanged. */
const StoredGrant = z.looseObject({ resources: z.record(z.string(), z.string()).default({}) });
const StoredToken = z.looseObject({ scope: z.string().default("") });

/**
 * Of a connection whose permissions a person changed on our page, outside a client's request: its grant is for `scopes`,
 * and its refresh tokens also for those in `given`.
 */
export async function rewriteGrantScopes(
  tx: Transaction,
  connectionId: string,
  { scopes, given }: { scopes: readonly Scope[]; given: readonly Scope[] },
): Promise<void> {
  await rewriteArtifactsOfGrant(tx, { grantId: connectionId, model: "Grant" }, (payload) => {
    const grant = StoredGrant.parse(payload);
    const names = Object.keys(grant.resources);
    return { ...grant, resources: Object.fromEntries(names.map((name) => [name, scopes.join(" ")])) };
  });
  if (given.length === 0) return;
  for (const model of ["RefreshToken", "AuthorizationCode"])
    await rewriteArtifactsOfGrant(tx, { grantId: connectionId, model }, (payload) => {
      const token = StoredToken.parse(payload);
      return { ...token, scope: parseScopes([token.scope, ...given].join(" ")).join(" ") };
    });
}
