import type { MemberActor } from "../src/core/actor.ts";

/** Who calls on the assistant route: `key` is the assistant connection's id. */
export interface AuthenticatedCaller {
  readonly key: string;
  readonly actor: MemberActor;
}
