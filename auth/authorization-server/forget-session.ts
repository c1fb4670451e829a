import type { KoaContextWithOIDC } from "oidc-provider";

/**
 * Drops the provider's own browser session once a request is answered. Ours (auth/sessions.ts) says who is signed in,
 * and one that nobody could end by signing out would outlive it.
 */
export async function forgetSession(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  await next();
  const session = ctx.oidc?.session;
  if (session?.accountId === undefined) return;
  await session.destroy();
  const name = ctx.oidc.provider.cookieName("session");
  const cookies = [ctx.response.headers["set-cookie"] ?? []].flat();
  ctx.remove("Set-Cookie");
  ctx.append(
    "Set-Cookie",
    cookies.filter((cookie) => !cookie.startsWith(name)),
  );
}
