import type { Response } from "express";
import type { Core } from "../src/core/gate/dependencies.ts";
import type { ServiceError } from "../src/core/gate/error.ts";
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
import { rateLimitExceeded } from "./attempts.ts";
import type { AuthenticatedCaller } from "./caller.ts";
import { refuse } from "./refuse.ts";

/** Requests of this minute, of a connection and of all of its workspace. */
export type Hits = NonNullable<AssistantCallAuthority["hits"]>;

/** The minute that requests are counted in now. */
export function minuteOf({ clock }: Pick<Core, "clock">): RateWindow {
  return windowAt(clock.now(), REQUEST_LIMITS.windowSeconds);
}

/** Requests a minute beyond which a connection stops counting for its workspace; null where the limits are lifted. */
export function connectionLimit(limited: boolean): number | null {
  return limited ? REQUEST_LIMITS.caller : null;
}

/** Where the limits stand: the one that leaves the least, and whether one was gone over. */
export function limitStanding({ connection, tenant }: Hits, minute: RateWindow): { left: Headroom; isOver: boolean } {
  const own = headroom(REQUEST_LIMITS.caller, connection, minute);
  return {
    left: tenant === null ? own : tightest(own, headroom(REQUEST_LIMITS.tenant, tenant, minute)),
    isOver: connection > REQUEST_LIMITS.caller || (tenant ?? 0) > REQUEST_LIMITS.tenant,
  };
}

/** What a request beyond one of the limits is told. */
export function tooMany(left: Headroom): ServiceError {
  const { limit } = left;
  const whose = limit === REQUEST_LIMITS.caller ? "This connection" : "The workspace's assistants";
  return rateLimitExceeded(`${whose} made the ${limit} requests of this minute.`, left);
}

/** Counts `requests` more of a caller who was let in; beyond the limits it gives what answers them all (429). */
export type ChargeFurther = (
  caller: AuthenticatedCaller,
  response: Response,
  requests: number,
) => Promise<(() => void) | null>;

/** Charges for what a batch holds beyond its first request (completions §8); `limited` as for the first. */
export function furtherRequests({ core, limited = true }: { core: Core; limited?: boolean }): ChargeFurther {
  return async ({ key: connectionId, actor: { tenantId } }, response, requests) => {
    const minute = minuteOf(core);
    const call = { tenantId, connectionId, minute: minute.start, connectionLimit: connectionLimit(limited) };
    const hits = await core.store.statement((tx) => countFurtherRequests(tx, { ...call, requests }));
    const { left, isOver } = limitStanding(hits, minute);
    // It may have been answered meanwhile: its connection was revoked.
    if (!response.headersSent) response.set(rateLimitHeaders(left));
    return limited && isOver ? () => refuse(response, { error: tooMany(left) }) : null;
  };
}
