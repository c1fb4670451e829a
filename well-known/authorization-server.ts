import { CLIENT_ASSERTION_ALGORITHMS, CLIENT_AUTH_METHODS, OAUTH_ROUTES } from "../auth/authorization-server/routes.ts";
import { OFFLINE_ACCESS } from "../auth/grantable-scopes.ts";
import { SIGNING_ALGORITHM } from "../auth/signing-keys.ts";
import { SCOPES } from "../src/core/gate/actor.ts";
import { type Installation, metadataDocument } from "./protected-resource.ts";

/** Clients of 2025-03-26 only use the first; some later ones try the second first. */
const PLACES = ["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"];

/** Authorization-server metadata (RFC 8414) of the embedded server; whether it takes metadata documents of clients. */
export function authorizationServerMetadata({
  publicOrigin,
  privacyUrl,
  termsUrl,
  metadataDocuments = true,
}: Installation & { metadataDocuments?: boolean }) {
  const document = {
    issuer: publicOrigin,
    authorization_endpoint: publicOrigin + OAUTH_ROUTES.authorization,
    token_endpoint: publicOrigin + OAUTH_ROUTES.token,
    registration_endpoint: publicOrigin + OAUTH_ROUTES.registration,
    revocation_endpoint: publicOrigin + OAUTH_ROUTES.revocation,
    jwks_uri: publicOrigin + OAUTH_ROUTES.jwks,
    scopes_supported: [...SCOPES, OFFLINE_ACCESS],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    token_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    revocation_endpoint_auth_signing_alg_values_supported: CLIENT_ASSERTION_ALGORITHMS,
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    ...(metadataDocuments ? { client_id_metadata_document_supported: true } : {}),
    service_documentation: `${publicOrigin}/mcp`,
    ...(privacyUrl == null ? {} : { op_policy_uri: privacyUrl }),
    ...(termsUrl == null ? {} : { op_tos_uri: termsUrl }),
    // No ID token is ever issued; readers of the second place insist on these two.
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
  };
  return metadataDocument(PLACES, document);
}
