import type { Core } from "../src/core/gate/dependencies.ts";
import { browserOf } from "./known-browsers.ts";
import type { WebSession } from "./sessions.ts";
import { type SignIn, signIn } from "./sign-in.ts";

/** A person who gives their password again before a change of their account, and the source of the request. */
export interface Reproving {
  readonly session: WebSession;
  /** The password as it was typed. */
  readonly current: string;
  readonly address: string;
  readonly requestId: string;
}

/**
 * Checks the current password of a person who is signed in, so that a session alone changes nothing of an account. Guesses
 * are limited and audited like sign-ins; answers as a sign-in does.
 */
export async function checkCurrentPassword(core: Core, { session, current, ...origin }: Reproving): Promise<SignIn> {
  const browser = browserOf(session);
  const proof = await signIn(core, { email: session.email, password: current, browser, ...origin });
  return "personId" in proof && proof.personId !== session.personId ? { refused: "wrong" } : proof;
}
