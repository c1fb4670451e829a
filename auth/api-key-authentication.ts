import type { ApiKeyActor } from "../src/core/gate/actor.ts";
import { type Core, nowOf } from "../src/core/gate/dependencies.ts";
import { featureUnavailable, keyRevoked } from "../src/core/gate/ended-access.ts";
import { type Headroom, headroom, REQUEST_LIMITS, tightest, windowAt } from "../src/core/gate/rate-limits.ts";
import { ServiceError } from "../src/core/kernel/error.ts";
import { type KeySighting, sightKey } from "../src/store/identity/api-key-use.ts";
import { parseApiKey } from "./api-keys/api-key.ts";
import { rateLimitExceeded } from "./attempt-limits.ts";
import type { CallerNames } from "./caller.ts";
import { failureStanding, recordFailedAttempt, tooManyFailures } from "./failed-authentications.ts";

/** The caller, or the reason for rejecting them, with the rate limit headroom that every response tells. */
export type KeyAuthentication =
  | { headroom: Headroom; actor: ApiKeyActor; names: CallerNames; refusal?: never }
  | { headroom: Headroom; refusal: ServiceError; actor?: never; names?: never };

/** Authenticates one request by its `Authorization` header and source address. */
export type KeyAuthenticator = (
  authorization: string | undefined,
  address: string | undefined,
) => Promise<KeyAuthentication>;

/**
 * API keys (service.md §5): one statement per request, for a key holds its workspace id. With `limited` false, requests per
 * minute are counted and not limited.
 */
export function apiKeyAuthentication(core: Core, { limited }: { limited: boolean }): KeyAuthenticator {
  return async (authorization, address) => {
    const credential = bearerCredential(authorization);
    const window = windowAt(core.clock.now(), REQUEST_LIMITS.windowSeconds);
    const parsed = credential === null ? null : parseApiKey(credential);
    const keyLimit = limited ? REQUEST_LIMITS.caller : null;
    const counting = { now: nowOf(core), windowStart: window.start, keyLimit };
    const key = parsed === null ? undefined : await sightKey(core.store, { ...parsed, ...counting });
    if (key === undefined) return unknownCaller(core, credential, address);
    const ofKey = headroom(REQUEST_LIMITS.caller, key.key_hits, window);
    const left =
      key.tenant_hits === null ? ofKey : tightest(ofKey, headroom(REQUEST_LIMITS.tenant, key.tenant_hits, window));
    const refusal = refusalOf(key, left, limited);
    if (refusal !== null) return { headroom: left, refusal };
    const { tenant_id: tenantId, key_id: keyId, permission, last_used_at: lastUsedAt } = key;
    const names = { workspace: key.tenant_name, key: key.key_name };
    return { headroom: left, actor: { kind: "api_key", tenantId, keyId, permission, lastUsedAt }, names };
  };
}

/** The credential of a bearer header; null without one. */
function bearerCredential(authorization: string | undefined) {
  return /^Bearer +(\S.*)$/i.exec(authorization?.trim() ?? "")?.[1] ?? null;
}

/** A request without a key, or with an unknown one, which counts as a failure of its address. */
async function unknownCaller(
  core: Core,
  credential: string | null,
  address: string | undefined,
): Promise<KeyAuthentication> {
  const standing = credential === null ? failureStanding : recordFailedAttempt;
  const { isOver, headroom: left } = await standing(core, address);
  if (credential === null) return { headroom: left, refusal: new ServiceError(...MISSING) };
  return { headroom: left, refusal: isOver ? tooManyFailures(left) : new ServiceError(...UNKNOWN) };
}

const MISSING = ["missing_credentials", "Send an API key: Authorization: Bearer <API_KEY>."] as const;
const UNKNOWN = ["invalid_credentials", "This is not an active API key."] as const;

function refusalOf(key: KeySighting, left: Headroom, limited: boolean): ServiceError | null {
  if (limited && key.key_hits > REQUEST_LIMITS.caller)
    return rateLimitExceeded(`This key made its ${REQUEST_LIMITS.caller} requests of this minute.`, left);
  if (key.revoked_at !== null) return keyRevoked();
  if (!key.api_access) return featureUnavailable("API");
  if (limited && key.tenant_hits !== null && key.tenant_hits > REQUEST_LIMITS.tenant)
    return rateLimitExceeded(`The workspace's keys made their ${REQUEST_LIMITS.tenant} requests of this minute.`, left);
  return null;
}
