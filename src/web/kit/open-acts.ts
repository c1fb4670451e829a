import { MEMBER_DEMOTED, MEMBER_REMOVED } from "../../../auth/members/member.ts";
import type { Role } from "../../core/gate/actor.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import type { Notice } from "../../store/store.ts";

/** What members are at on pages of this process, each with how it is stopped. */
const open = new Map<AbortController, { readonly memberId: string; readonly role: Role }>();

/** Does what a member asked for on a page; nothing of it is committed once they lose the access ({@link stopActs}). */
export async function openAct<T>(
  member: { readonly memberId: string; readonly role: Role },
  work: (signal: AbortSignal) => Promise<T>,
) {
  const controller = new AbortController();
  open.set(controller, member);
  try {
    return await work(controller.signal);
  } finally {
    open.delete(controller);
  }
}

/** Stops the acts of a member whom a notice says to be removed, or to be an admin no longer. */
export function stopActs({ topic, payload }: Notice) {
  if (topic !== MEMBER_REMOVED && topic !== MEMBER_DEMOTED) return;
  for (const [controller, { memberId, role }] of open)
    if (memberId === payload && (topic === MEMBER_REMOVED || role === "admin"))
      controller.abort(new ServiceError("permission_denied", "This was not done: your access was changed meanwhile."));
}
