import type { Core } from "../gate/dependencies.ts";
import { later } from "../gate/retry.ts";
import { workStep } from "../gate/work-step.ts";
import { changeNews, queueMail } from "../mail/outgoing-queries.ts";
import { nextTimeOfDay } from "../payment-links/emails/send-time.ts";
import { dueNews, hasNews, tenantsWithDueNews } from "./news-queries.ts";

/** What is younger may not be committed yet; and how long a member waits for news who wants them at once. */
const DELAY_MS = 2 * 60_000;
const DAY_MS = 86_400_000;
const MORNING = "08:00";

/** When news of that pace are due next. */
export function newsDueAt(core: Core, pace: "morning" | "at_once", timezone: string) {
  return pace === "at_once" ? later(core, DELAY_MS) : nextTimeOfDay(core.clock.now(), timezone, MORNING);
}

/** Queues a mail for each member who is due and has news, in all workspaces, until `stop` is aborted. */
export const tellNews = workStep({
  name: "tellNews",
  find: ({ tx, shards, now }, _stop: AbortSignal) => tenantsWithDueNews(tx, shards, now),
  async run({ tx, core, now, tenantId }, stop: AbortSignal) {
    const until = later(core, -DELAY_MS);
    for (const member of stop.aborted ? [] : await dueNews(tx, tenantId, now)) {
      const { tenant_id, member_id, email: recipient, told_until, due_at } = member;
      const next = newsDueAt(core, member.pace, member.timezone);
      if (!(await changeNews(tx, { tenant_id, member_id, due_at }, { told_until: until, due_at: next }))) continue;
      // A wrong clock told of what was still to come; what was told before that nobody knows any more.
      const known = told_until > now ? later(core, -DAY_MS) : told_until;
      const since = known < until ? known : until;
      const about = { subject_id: member_id, news_from: since, news_until: until };
      if (await hasNews(tx, { ...member, since, until }))
        await queueMail(tx, core, { tenant_id, kind: "news", recipient, ...about });
    }
  },
});
