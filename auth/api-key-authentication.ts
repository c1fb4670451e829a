import type { ApiKeyActor } from "../src/core/gate/actor.ts";
import { type Core, nowOf } from "../src/core/gate/dependencies.ts";
import { ServiceError } from "../src/core/gate/error.ts";
import {
  FAILED_ATTEMPT_LIMITS,
  type Headroom,
  headroom,
  REQUEST_LIMITS,
  tightest,
  windowAt,
} from "../src/core/gate/rate-limits.ts";
import { type KeySighting, sightKey } from "../src/store/identity/api-key-authentication.ts";
import { parseApiKey } from "./api-keys/api-key.ts";
import { rateLimitExceeded } from "./attempts.ts";
import type { CallerNames } from "./caller.ts";
import { attemptCounter, attemptHeadroom, tooManyFailures } from "./failed-authentications.ts";

/** Who calls, or why not; with the headroom that every response tells, refusals too. */
export type KeyAuthentication =
  | { headroom: Headroom; actor: ApiKeyActor; names: CallerNames; refusal?: never }
  | { headroom: Headroom; refusal: ServiceError; actor?: never; names?: never };

/** Authenticates one request by its `Authorization` header and source address. */
export type KeyAuthenticator = (
  authorization: string | undefined,
  address: string | undefined,
) => Promise<KeyAuthentication>;

/**
 * API keys (service.md §5): one statement a request, the same for every credential, so that neither the answer nor the
 * work tells whether a key exists. `limited` false lifts the limits per minute; they are counted all the same.
 */
export function apiKeyAuthentication(core: Core, { limited }: { limited: boolean }): KeyAuthenticator {
  return async (authorization, address) => {
    const credential = bearerCredential(authorization);
    const { window: attemptWindow, counter } = attemptCounter(core, address);
    const window = windowAt(core.clock.now(), REQUEST_LIMITS.windowSeconds);
    const sighting = await core.store.systemStatement((tx) =>
      sightKey(tx, {
        keyHash: credential === null ? null : (parseApiKey(credential)?.keyHash ?? null),
        now: nowOf(core),
        windowStart: window.start,
        keyLimit: limited ? REQUEST_LIMITS.caller : null,
        attempts: counter,
        attemptLimit: FAILED_ATTEMPT_LIMITS.address,
        countsAsAttempt: credential !== null,
      }),
    );
    const key = knownKey(sighting);
    if (key === null) {
      const hits = sighting.attempts_after ?? sighting.attempts_before;
      const left = attemptHeadroom(hits, attemptWindow);
      return { headroom: left, refusal: unknownCaller(credential, sighting, left) };
    }
    const ofKey = headroom(REQUEST_LIMITS.caller, key.hits, window);
    const left =
      key.tenantHits === null ? ofKey : tightest(ofKey, headroom(REQUEST_LIMITS.tenant, key.tenantHits, window));
    const refusal = refusalOf(key, sighting, left, limited);
    if (refusal !== null) return { headroom: left, refusal };
    const { tenantId, keyId, permission, lastUsedAt } = key;
    const names = { workspace: sighting.tenant_name, key: sighting.key_name };
    return { headroom: left, actor: { kind: "api_key", tenantId, keyId, permission, lastUsedAt }, names };
  };
}

/** The credential of a bearer header; null without one. */
function bearerCredential(authorization: string | undefined): string | null {
  return /^Bearer +(\S.*)$/i.exec(authorization?.trim() ?? "")?.[1] ?? null;
}

type KnownKey = NonNullable<ReturnType<typeof knownKey>>;

function knownKey(sighting: KeySighting) {
  const { tenant_id: tenantId, key_id: keyId, permission, key_hits: hits } = sighting;
  if (tenantId === null || keyId === null || permission === null || hits === null) return null;
  return { tenantId, keyId, permission, hits, lastUsedAt: sighting.last_used_at, tenantHits: sighting.tenant_hits };
}

function unknownCaller(credential: string | null, sighting: KeySighting, left: Headroom): ServiceError {
  if (credential === null)
    return new ServiceError("missing_credentials", "Send an API key: Authorization: Bearer <API_KEY>.");
  const { attempts_before: before, attempts_after: after } = sighting;
  if (before >= left.limit || (after !== null && after > left.limit)) return tooManyFailures(left);
  return new ServiceError("invalid_credentials", "This is not an active API key.");
}

function refusalOf(key: KnownKey, sighting: KeySighting, left: Headroom, limited: boolean): ServiceError | null {
  if (limited && key.hits > REQUEST_LIMITS.caller)
    return rateLimitExceeded(`This key made its ${REQUEST_LIMITS.caller} requests of this minute.`, left);
  if (sighting.revoked_at !== null)
    return new ServiceError("revoked_credentials", "This API key was revoked. Create a new one.");
  if (sighting.api_access !== true)
    return new ServiceError("feature_unavailable", "The workspace's plan has no API access.");
  if (limited && key.tenantHits !== null && key.tenantHits > REQUEST_LIMITS.tenant)
    return rateLimitExceeded(`The workspace's keys made their ${REQUEST_LIMITS.tenant} requests of this minute.`, left);
  return null;
}
