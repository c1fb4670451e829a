/** Where the authorization server answers, below its issuer. */
export const OAUTH_ROUTES = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  registration: "/oauth/register",
  revocation: "/oauth/revoke",
  jwks: "/oauth/jwks",
} as const;

/** Where a person decides on an authorization request: this, a slash, and the request's uid. */
export const INTERACTION_PATH = "/oauth/interaction";

/** How clients may authenticate themselves at the token and revocation endpoints. */
export const CLIENT_AUTH_METHODS = ["none", "client_secret_post", "client_secret_basic", "private_key_jwt"] as const;

/** How a client's own assertions may be signed (`private_key_jwt`). */
export const CLIENT_ASSERTION_ALGORITHMS = ["RS256", "PS256", "ES256", "EdDSA"] as const;
