import type { Response } from "express";
import type { Core } from "../src/core/gate/dependencies.ts";
import {
  type Headroom,
  headroom,
  type RateWindow,
  REQUEST_LIMITS,
  rateLimitHeaders,
  tightest,
  windowAt,
} from "../src/core/gate/rate-limits.ts";
import { type AssistantCallAuthority, countFurtherRequests } from "../src/store/identity/assistant-calls.ts";
import { rateLimitExceeded } from "./attempt-limits.ts";
import type { AuthenticatedCaller } from "./caller.ts";
import { refuse } from "./refuse.ts";

/** Requests in the current minute, by a connection and by its whole workspace. */
export type Hits = NonNullable<AssistantCallAuthority["hits"]>;

/** The minute that requests are counted in. */
export function minuteOf({ clock }: Pick<Core, "clock">): RateWindow {
  return windowAt(clock.now(), REQUEST_LIMITS.windowSeconds);
}

/** Requests per minute beyond which a connection no longer counts for its workspace; null without limits. */
export function connectionLimit(limited: boolean) {
  return limited ? REQUEST_LIMITS.caller : null;
}

/** The headroom of the tighter of both limits, and whether one was exceeded. */
export function limitStanding({ connection, tenant }: Hits, minute: RateWindow): { left: Headroom; isOver: boolean } {
  const own = headroom(REQUEST_LIMITS.caller, connection, minute);
  return {
    left: tenant === null ? own : tightest(own, headroom(REQUEST_LIMITS.tenant, tenant, minute)),
    isOver: connection > REQUEST_LIMITS.caller || (tenant ?? 0) > REQUEST_LIMITS.tenant,
  };
}

/** The error for a request beyond one of the limits. */
export function tooMany(left: Headroom) {
  const { limit } = left;
  const whose = limit === REQUEST_LIMITS.caller ? "This connection" : "The workspace's assistants";
  return rateLimitExceeded(`${whose} made the ${limit} requests of this minute.`, left);
}

/** Counts `requests` more of an authenticated caller; beyond the limits returns what answers them all (429). */
export type ChargeFurther = (
  caller: AuthenticatedCaller,
  response: Response,
  requests: number,
) => Promise<(() => void) | null>;

/** Counts the requests of a batch after the first (completions §8); `limited` as for the first. */
export function furtherRequests({ core, limited = true }: { core: Core; limited?: boolean }): ChargeFurther {
  return async ({ key: connectionId, actor: { tenantId } }, response, requests) => {
    const minute = minuteOf(core);
    const call = { tenantId, connectionId, minute: minute.start, connectionLimit: connectionLimit(limited) };
    const hits = await countFurtherRequests(core.store, { ...call, requests });
    const { left, isOver } = limitStanding(hits, minute);
    // The response may have been sent meanwhile: its connection was revoked.
    if (!response.headersSent) response.set(rateLimitHeaders(left));
    return limited && isOver ? () => refuse(response, { error: tooMany(left) }) : null;
  };
}
