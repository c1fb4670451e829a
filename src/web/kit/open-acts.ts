import { MEMBER_DEMOTED, MEMBER_REMOVED } from "../../../auth/members/member.ts";
import type { Role } from "../../core/gate/actor.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import type { Notice } from "../../store/store.ts";

/** Who is at something on a page. */
interface Author {
  readonly memberId: string;
  readonly role: Role;
  /** Whether their session goes on. */
  isSignedIn(): Promise<boolean>;
}

/** How often it is looked whether the session of who is at something goes on. */
const LOOK_MS = 1_000;

/** What members are at on pages of this process, each with how it is stopped. */
const open = new Map<AbortController, Author>();

/** Does what a member asked for on a page; nothing of it is committed once they or their session lose the access. */
export async function openAct<T>(author: Author, work: (signal: AbortSignal) => Promise<T>) {
  const controller = new AbortController();
  const look = async () => {
    if (!(await author.isSignedIn().catch(() => true))) stop(controller);
    if (open.has(controller)) timer = setTimeout(look, LOOK_MS);
  };
  let timer = setTimeout(look, LOOK_MS);
  open.set(controller, author);
  try {
    return await work(controller.signal);
  } finally {
    open.delete(controller);
    clearTimeout(timer);
  }
}

/** Stops the acts of a member whom a notice says to be removed, or to be an admin no longer. */
export function stopActs({ topic, payload }: Notice) {
  if (topic !== MEMBER_REMOVED && topic !== MEMBER_DEMOTED) return;
  for (const [controller, { memberId, role }] of open)
    if (memberId === payload && (topic === MEMBER_REMOVED || role === "admin")) stop(controller);
}

const stop = (act: AbortController) =>
  act.abort(new ServiceError("permission_denied", "This was not done: your access was changed meanwhile."));
