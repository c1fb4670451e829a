import type { Request, Response } from "express";
import { scopesIn } from "../src/core/gate/actor.ts";
import { type Core, nowOf } from "../src/core/gate/dependencies.ts";
import { connectionRevoked, featureUnavailable } from "../src/core/gate/ended-access.ts";
import { type Headroom, rateLimitHeaders } from "../src/core/gate/rate-limits.ts";
import { type ErrorCode, ServiceError } from "../src/core/kernel/error.ts";
import { type AssistantCallAuthority, authorizeAssistantCall } from "../src/store/identity/assistant-calls.ts";
import type { AccessToken, TokenCheck, TokenVerifier } from "./access-token.ts";
import { connectionLimit, limitStanding, minuteOf, tooMany } from "./assistant-request-limits.ts";
import { type AuthenticatedCaller, type CallerNames, noteKnownCaller } from "./caller.ts";
import { type BearerChallenges, bearerChallenges } from "./challenges.ts";
import { failureStanding, recordFailedAttempt, tooManyFailures } from "./failed-authentications.ts";
import { READ_SCOPE, withoutReading } from "./grantable-scopes.ts";
import { type AuthRefusal, refuse } from "./refuse.ts";

export interface BearerOptions {
  core: Core;
  publicOrigin: string;
  verifyAccessToken: TokenVerifier;
  /** False lifts the limits of requests per minute; they are still counted and reported. */
  limited?: boolean;
}

type Outcome = { headroom: Headroom } & (
  | { caller: AuthenticatedCaller; names: CallerNames }
  | { refusal: AuthRefusal }
);

/**
 * Authentication of the assistant route: the token identifies the caller, and one statement reads their permissions and
 * counts the limits. A rejected request is answered here, with the error object of service.md §2.9, and null is
 * returned.
 */
export function bearerAuthentication(
  options: BearerOptions,
): (request: Request, response: Response) => Promise<AuthenticatedCaller | null> {
  const authenticator = new BearerAuthenticator(options);
  return async (request, response) => {
    const outcome = await authenticator.authenticate(request);
    response.set(rateLimitHeaders(outcome.headroom));
    if ("caller" in outcome) {
      noteKnownCaller(response, outcome.names);
      return outcome.caller;
    }
    refuse(response, outcome.refusal);
    return null;
  };
}

class BearerAuthenticator {
  readonly #core: Core;
  readonly #verify: TokenVerifier;
  readonly #limited: boolean;
  readonly #challenges: BearerChallenges;

  constructor({ core, publicOrigin, verifyAccessToken, limited = true }: BearerOptions) {
    this.#core = core;
    this.#verify = verifyAccessToken;
    this.#limited = limited;
    this.#challenges = bearerChallenges(publicOrigin);
  }

  async authenticate(request: Request): Promise<Outcome> {
    if (request.query.access_token !== undefined) return this.#refuse(request, tokenInQuery(this.#challenges));
    const header = request.headers.authorization;
    if (header === undefined) return this.#refuse(request, refusal(MISSING, this.#challenges.missing()));
    const sent = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(header)?.[1];
    const check: TokenCheck = sent === undefined ? { refused: "invalid" } : await this.#verify(sent, request.ip);
    if ("token" in check) return this.#authorize(request, check.token);
    if ("refusal" in check) return this.#refuse(request, genuine(this.#challenges, check.refusal));
    return check.refused === "expired"
      ? this.#refuse(request, refusal(EXPIRED, this.#challenges.invalid()))
      : this.#refuseFailed(request);
  }

  /** A genuine token: everything else is read from the store. */
  async #authorize(request: Request, token: AccessToken): Promise<Outcome> {
    const minute = minuteOf(this.#core);
    const { connection, hits } = await authorizeAssistantCall(this.#core.store, {
      ...token,
      now: nowOf(this.#core),
      minute: minute.start,
      connectionLimit: connectionLimit(this.#limited),
    });
    // Genuine, but for a person, client or workspace other than the connection's: we never issued it.
    if (connection === null) return this.#refuseFailed(request);
    if (hits === null) return this.#refuse(request, genuine(this.#challenges, connectionRevoked()));
    const { left, isOver } = limitStanding(hits, minute);
    if (this.#limited && isOver) return { headroom: left, refusal: { error: tooMany(left) } };
    if (!token.scopes.includes(READ_SCOPE))
      return { headroom: left, refusal: genuine(this.#challenges, withoutReading()) };
    if (!connection.assistantAccess) return { headroom: left, refusal: { error: featureUnavailable("assistant") } };
    const { workspace, clientName: assistant } = connection;
    return { headroom: left, caller: callerOf(token, connection), names: { workspace, assistant } };
  }

  /** Rejects without counting a failure: a caller without a token gets the challenge even if its address is limited. */
  async #refuse({ ip }: Request, refusal: AuthRefusal): Promise<Outcome> {
    const { headroom } = await failureStanding(this.#core, ip);
    return { headroom, refusal };
  }

  /** An unknown, malformed or forged credential. */
  async #refuseFailed({ ip }: Request): Promise<Outcome> {
    const { isOver, headroom: left } = await recordFailedAttempt(this.#core, ip);
    return {
      headroom: left,
      refusal: isOver ? { error: tooManyFailures(left) } : refusal(INVALID, this.#challenges.invalid()),
    };
  }
}

function tokenInQuery(challenges: BearerChallenges): AuthRefusal {
  const details = [{ field: "access_token", message: "must not be in the query" }];
  const message = "An access token belongs in the Authorization header, never in the address.";
  return { error: new ServiceError("validation_failed", message, { details }), challenge: challenges.malformed() };
}

const MISSING = ["missing_credentials", "Send an access token: Authorization: Bearer <TOKEN>."] as const;
const INVALID = ["invalid_credentials", "This is not an access token of this service."] as const;
const EXPIRED = ["invalid_credentials", "The access token has expired. Refresh it."] as const;

function refusal(reason: readonly [ErrorCode, string], challenge: string): AuthRefusal {
  return { error: new ServiceError(...reason), challenge };
}

/** A genuine token whose caller is rejected. */
function genuine(challenges: BearerChallenges, error: ServiceError): AuthRefusal {
  if (error.code === "revoked_credentials") return { error, challenge: challenges.revoked() };
  return error.missingScope === undefined ? { error } : { error, challenge: challenges.lacking(error.missingScope) };
}

/**
 * The connection's current scopes, as far as the token was issued for them, and those a person added on our page since,
 * unless the client itself asked for a narrower token.
 */
function callerOf(
  { tenantId, connectionId, scopes: asked, narrowed }: AccessToken,
  { memberId, role, assistants, ...granted }: NonNullable<AssistantCallAuthority["connection"]>,
): AuthenticatedCaller {
  const given = narrowed ? [] : granted.givenScopes;
  const has = granted.scopes.filter((scope) => asked.includes(scope) || given.includes(scope));
  const [scopes, readsOnly] = [scopesIn(assistants, has), assistants === "read"];
  return { key: connectionId, actor: { kind: "assistant", tenantId, memberId, role, connectionId, scopes, readsOnly } };
}
