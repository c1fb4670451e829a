import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { Core } from "../src/core/gate/dependencies.ts";
import { type AttemptLimit, type Attempts, count, look } from "./attempts.ts";
import { noteKnownCaller } from "./caller.ts";
import { sourceOf } from "./failed-authentications.ts";

type Counting = Pick<Core, "store" | "clock" | "log">;
/** Answers what is beyond a limit. */
export type TurnAway = (response: Response, attempts: Attempts) => void;

/** Counts every request of an address; those beyond the limit are turned away before anything of them is kept. */
export function limitRequests(core: Counting, limit: AttemptLimit, turnAway: TurnAway): RequestHandler {
  return async (request, response, next) => {
    const attempts = await count(core, limit, sourceOf(request.ip));
    if (attempts.hits <= attempts.max) return next();
    turnAway(response, attempts);
  };
}

/**
 * Counts the requests of an address that were refused. Beyond the limit only those go on that `isGenuine` says carry something
 * we handed out: an address that many share is never shut out whole.
 */
export function limitFailures(
  core: Counting,
  limit: AttemptLimit,
  { isGenuine, turnAway }: { isGenuine: (request: Request) => Promise<boolean>; turnAway: TurnAway },
): RequestHandler {
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
