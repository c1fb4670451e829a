/** Where the authorization server answers, below its issuer. */
export const OAUTH_ROUTES = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  registration: "/oauth/register",
  revocation: "/oauth/revoke",
  jwks: "/oauth/jwks",
} as const;

/** Base path of the pages on which a person decides on an authorization request, followed by its uid. */
export const INTERACTION_PATH = "/oauth/interaction";

/** Client authentication methods at the token and revocation endpoints. */
export const CLIENT_AUTH_METHODS = ["none", "client_secret_post", "client_secret_basic", "private_key_jwt"] as const;

/** Signing algorithms of client assertions (`private_key_jwt`). */
export const CLIENT_ASSERTION_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"] as const;
