import { z } from "zod";
import type { Transaction } from "../../../store/store.ts";
import type { NewsTopic } from "../../../store/tables/mail.ts";
import { changedSettings } from "../../gate/audit.ts";
import { operation, PAGES_READ, type PersonActor } from "../../gate/operation.ts";
import { orNotFound } from "../../kernel/error.ts";
import { changeNews } from "../../mail/outgoing-queries.ts";
import { newsMember } from "../news-queries.ts";
import { newsDueAt } from "../tell-news.ts";

const ofEach = <T>(value: (topic: NewsTopic) => T) => ({
  payments_received: value("payments_received"),
  mails_failed: value("mails_failed"),
  receipts_failed: value("receipts_failed"),
  erp_refused: value("erp_refused"),
  fell_overdue: value("fell_overdue"),
});

/** What a member is told by mail, and when: in the morning of the workspace, or as it happens. */
const OwnNews = z.strictObject({ ...ofEach(() => z.boolean()), pace: z.enum(["morning", "at_once"]) });

async function readOwn(tx: Transaction, { tenantId, memberId }: PersonActor) {
  const { told, pace, timezone } = orNotFound(await newsMember(tx, tenantId, memberId), "member");
  return { own: { ...ofEach((topic) => told.includes(topic)), pace }, timezone };
}

/** What the caller is told by mail. */
export const getOwnNews = operation({
  id: "getOwnNews",
  summary: "Show what one is told by mail",
  ...PAGES_READ,
  input: z.strictObject({}),
  output: OwnNews,
  run: async ({ tx, actor }) => (await readOwn(tx, actor)).own,
});

/** Changes it, and leaves what is not given; what happened since the last mail is told as chosen now. */
export const setOwnNews = operation({
  id: "setOwnNews",
  summary: "Choose what one is told by mail",
  ...PAGES_READ,
  permission: "admin",
  own: true,
  sideEffects: "The caller is mailed what they chose from now on.",
  input: OwnNews.partial(),
  output: OwnNews,
  async run({ tx, actor, core, audit }, given) {
    const { own, timezone } = await readOwn(tx, actor);
    const pace = given.pace ?? own.pace;
    const chosen = { ...ofEach((topic) => given[topic] ?? own[topic]), pace };
    const topics = Object.values(ofEach((topic) => topic)).filter((topic) => chosen[topic]);
    const key = { tenant_id: actor.tenantId, member_id: actor.memberId };
    await changeNews(tx, key, { topics, pace, due_at: newsDueAt(core, pace, timezone) });
    const details = changedSettings(own, chosen);
    audit("changed" in details ? { type: "member", id: actor.memberId, details } : null);
    return chosen;
  },
});
