import type Provider from "oidc-provider";

/**
 * A refresh that repeats all its client once asked for, though the person granted less: it gets what was granted, as the answer
 * says. Real clients do that, and a refusal would end their connection. Asking for anything else there is not stays refused.
 */
export async function refreshScopes(
  provider: Provider,
  params: URLSearchParams,
  resource: string,
): Promise<URLSearchParams> {
  const scope = params.get("scope");
  if (scope === null || params.get("grant_type") !== "refresh_token") return params;
  const token = await provider.RefreshToken.find(params.get("refresh_token") ?? "");
  if (token?.grantId === undefined) return params;
  const missing = scope.split(" ").filter((name) => !token.scopes.has(name));
  if (missing.length === 0) return params;
  const grant = await provider.Grant.find(token.grantId);
  const denied = namesIn(grant?.getRejectedResourceScope(resource));
  const granted = namesIn(grant?.getResourceScope(resource));
  const isRepeated = denied.length > 0 && denied.every((name) => missing.includes(name));
  if (!isRepeated || !missing.every((name) => denied.includes(name) || granted.includes(name))) return params;
  const repeated = new URLSearchParams(params);
  repeated.delete("scope");
  return repeated;
}

function namesIn(scope = ""): string[] {
  return scope.split(" ").filter((name) => name !== "");
}
