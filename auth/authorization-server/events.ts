import type Provider from "oidc-provider";
import type { KoaContextWithOIDC } from "oidc-provider";
import type { Log } from "../../src/core/gate/dependencies.ts";
import { asServiceError } from "../../src/core/gate/error.ts";

/** Writes what the provider reports to the log: error codes and client ids, never a parameter, token or cookie. */
export function logEvents(provider: Provider, log: Log): void {
  const refused = (ctx: KoaContextWithOIDC, error: Error): void => log.info(fieldsOf(ctx, error), "oauth refusal");
  provider.on("authorization.error", refused);
  provider.on("grant.error", refused);
  provider.on("registration_create.error", refused);
  provider.on("revocation.error", refused);
  provider.on("jwks.error", refused);
  provider.on("grant.revoked", (ctx, grantId) =>
    log.warn({ client_id: ctx.oidc.client?.clientId, connection_id: grantId }, "oauth grant revoked"),
  );
  provider.on("registration_create.success", (_ctx, client) =>
    log.info({ client_id: client.clientId }, "oauth client registered"),
  );
  const failed = "authorization server failed";
  provider.on("server_error", (ctx, error) => {
    const { retryAfterSeconds } = asServiceError(error);
    if (retryAfterSeconds !== undefined) ctx.set("Retry-After", String(retryAfterSeconds));
    log.error({ ...fieldsOf(ctx, error), err: error }, failed);
  });
  provider.onerror = (error) => log.error({ err: error }, failed);
}

function fieldsOf(ctx: KoaContextWithOIDC, error: Error): object {
  const detail: unknown = "error_detail" in error ? error.error_detail : undefined;
  return { route: ctx.oidc?.route, client_id: ctx.oidc?.client?.clientId, error: error.message, detail };
}
