import type { KoaContextWithOIDC } from "oidc-provider";
import { INTERACTION_PATH, OAUTH_ROUTES } from "./routes.ts";

/**
 * Keeps a browser here until somebody has signed in for the request: the authorization endpoint leads to our own question,
 * and every error of it is a page. Anybody can register a client, so its redirect would send people anywhere in our name.
 */
export function stayHere(showError: (ctx: KoaContextWithOIDC, code: string) => void) {
  return async (ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> => {
    await next();
    const location = ctx.response.get("Location");
    if (location === "" || ctx.path !== OAUTH_ROUTES.authorization) return;
    const target = URL.parse(location, ctx.oidc?.issuer);
    if (target?.origin === ctx.oidc?.issuer && target?.pathname.startsWith(`${INTERACTION_PATH}/`)) return;
    ctx.remove("Location");
    ctx.status = 400;
    showError(ctx, target?.searchParams.get("error") ?? "invalid_request");
  };
}
