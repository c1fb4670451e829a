import type { Grant } from "oidc-provider";
import { z } from "zod";
import { parseScopes, SCOPES, type Scope } from "../../src/core/gate/actor.ts";
import { rewriteArtifactsOfGrant } from "../../src/store/identity/oidc-artifacts.ts";
import type { Transaction } from "../../src/store/store.ts";

/**
 * Sets a grant's scopes to `granted`, and keeps those `asked` for and not granted: some clients repeat all scopes they
 * once asked for when they refresh (request-params.ts).
 */
export function setGrantScopes(
  grant: Grant,
  resource: string,
  { granted, asked }: { granted: readonly Scope[]; asked: readonly Scope[] },
): void {
  const earlier = parseScopes(grant.getRejectedResourceScope(resource));
  grant.resources = { [resource]: granted.join(" ") };
  const rejected = SCOPES.filter(
    (scope) => (earlier.includes(scope) || asked.includes(scope)) && !granted.includes(scope),
  );
  grant.rejected = rejected.length === 0 ? undefined : { resources: { [resource]: rejected.join(" ") } };
}

/** The part of a stored grant with its scopes by resource; the rest is unchanged. */
const StoredGrant = z.looseObject({
  resources: z.record(z.string(), z.string()).default({}),
  rejected: z.looseObject({ resources: z.record(z.string(), z.string()).default({}) }).optional(),
});
const StoredToken = z.looseObject({ scope: z.string().default("") });

/**
 * The same for a connection whose permissions a person changed on our page, outside a client's request: the grant is
 * for `scopes`, and its refresh tokens also for those in `given`.
 */
export async function rewriteGrantScopes(
  tx: Transaction,
  connectionId: string,
  { scopes, given }: { scopes: readonly Scope[]; given: readonly Scope[] },
): Promise<void> {
  await rewriteArtifactsOfGrant(tx, { grantId: connectionId, model: "Grant" }, (payload) => {
    const grant = StoredGrant.parse(payload);
    const rejected = eachOf(grant.rejected?.resources ?? {}, (text) => without(text, given));
    const resources = eachOf(grant.resources, () => scopes.join(" "));
    return { ...grant, resources, ...(grant.rejected === undefined ? {} : { rejected: { resources: rejected } }) };
  });
  if (given.length === 0) return;
  for (const model of ["RefreshToken", "AuthorizationCode"])
    await rewriteArtifactsOfGrant(tx, { grantId: connectionId, model }, (payload) => {
      const token = StoredToken.parse(payload);
      return { ...token, scope: parseScopes([token.scope, ...given].join(" ")).join(" ") };
    });
}

function eachOf(texts: Record<string, string>, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([resource, text]) => [resource, change(text)]));
}

function without(text: string, gone: readonly Scope[]): string {
  return parseScopes(text)
    .filter((scope) => !gone.includes(scope))
    .join(" ");
}
