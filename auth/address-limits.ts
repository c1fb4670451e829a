import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { Core } from "../src/core/gate/dependencies.ts";
import { type AttemptLimit, type Attempts, count, look } from "./attempt-limits.ts";
import { noteKnownCaller } from "./caller.ts";
import { networkOf, sourceOf } from "./failed-authentications.ts";

type Counting = Pick<Core, "store" | "clock" | "log">;
/** Sends the response to a request beyond a limit. */
export type TurnAway = (response: Response, attempts: Attempts) => void;

/** The requests of how many addresses an IPv6 /48 network may make. */
const ADDRESSES_OF_NETWORK = 5;

/** Counts all requests of an address, and of its network; rejects those beyond the limit before anything is stored. */
export function limitRequests(core: Counting, limit: AttemptLimit, turnAway: TurnAway): RequestHandler {
  const ofNetwork = { ...limit, max: limit.max * ADDRESSES_OF_NETWORK };
  return async (request, response, next) => {
    const source = sourceOf(request.ip);
    const own = await count(core, limit, source);
    if (own.hits > own.max) return turnAway(response, own);
    const network = networkOf(source);
    if (network === null) return next();
    const all = await count(core, ofNetwork, network);
    if (all.hits > all.max) return turnAway(response, all);
    next();
  };
}

/**
 * Counts an address's rejected requests. Beyond the limit only requests pass that `isGenuine` recognizes as carrying
 * something we issued, so that a shared address is never blocked entirely.
 */
export function limitFailures(
  core: Counting,
  limit: AttemptLimit,
  { isGenuine, turnAway }: { isGenuine: (request: Request) => Promise<boolean>; turnAway: TurnAway },
) {
  return async (request: Request, response: Response, next: NextFunction) => {
    const source = sourceOf(request.ip);
    const attempts = await look(core, limit, source);
    if (attempts.hits >= attempts.max && !(await isGenuine(request))) return turnAway(response, attempts);
    response.once("finish", () => {
      if (response.statusCode < 400) noteKnownCaller(response);
      if (response.statusCode < 400 || response.statusCode >= 500) return;
      count(core, limit, source).catch((err: unknown) => core.log.error({ err }, "oauth.failure.not_counted"));
    });
    next();
  };
}
