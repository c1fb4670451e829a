import { operation } from "../../src/core/gate/operation.ts";
import { orNotFound } from "../../src/core/kernel/error.ts";
import {
  connectionsEndingWith,
  liveLink,
  MemberLinkSchema,
  memberLinkOnWire,
  revoked,
  Subject,
  takeBack,
} from "./member-link.ts";

/** Removes a link; an email does not create it again. Throws `not_found`. */
export const unlinkMember = operation({
  id: "unlinkMember",
  summary: "Take that back: sessions and connections that came through it end at once",
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects: "Ends what came through the link at once, and the connections its member approved here.",
  input: Subject,
  output: MemberLinkSchema,
  allTenants: true,
  async stops({ tx, actor: { tenantId } }, identity) {
    const link = await liveLink(tx, tenantId, identity);
    return link === undefined ? [] : revoked(await connectionsEndingWith(tx, tenantId, link));
  },
  async run(context, identity) {
    const { tx, core, actor, audit, afterCommit } = context;
    const link = orNotFound(await liveLink(tx, actor.tenantId, identity), "link");
    audit({ type: "member_identity", id: link.id });
    for (const notice of revoked(await takeBack(context, link))) afterCommit(() => core.store.publish(notice));
    return memberLinkOnWire(link);
  },
});
