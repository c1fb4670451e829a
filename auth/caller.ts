import type { Response } from "express";
import type { AssistantActor } from "../src/core/actor.ts";

/** Who calls on the assistant route: `key` is the assistant connection's id. */
export interface AuthenticatedCaller {
  readonly key: string;
  readonly actor: AssistantActor;
}

/** Notes that a request's caller has proved who they are: its line in the log is written however many there are. */
export function noteKnownCaller(response: Pick<Response, "locals">): void {
  response.locals.isKnownCaller = true;
}

export function isKnownCaller(response: Pick<Response, "locals">): boolean {
  return response.locals.isKnownCaller === true;
}
