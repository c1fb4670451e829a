import type { Response } from "express";
import type { AssistantActor } from "../src/core/gate/actor.ts";

/** A caller of the assistant route: `key` is the assistant connection's id. */
export interface AuthenticatedCaller {
  readonly key: string;
  readonly actor: AssistantActor;
}

/** The names of a caller's workspace and of its key or assistant, for the log; users chose them. */
export interface CallerNames {
  readonly workspace: string | null;
  readonly key?: string | null;
  readonly assistant?: string | null;
}

/** Notes that a request's caller is authenticated: its line in the log is always written, with their `names`. */
export function noteKnownCaller(response: Pick<Response, "locals">, names?: CallerNames) {
  response.locals.isKnownCaller = true;
  if (names !== undefined) response.locals.callerNames = names;
}

/** The names that were noted, if any. */
export function namesOfCaller(response: Pick<Response, "locals">): CallerNames | undefined {
  return response.locals.callerNames;
}

export function isKnownCaller(response: Pick<Response, "locals">) {
  return response.locals.isKnownCaller === true;
}
