import { connectionNames } from "../erp-access/connection-queries.ts";
import { workStep } from "../gate/work-step.ts";
import { counted } from "../kernel/counted.ts";
import { failureReason } from "../mail/failure.ts";
import { memberMail } from "../mail/message.ts";
import type { ClaimedMail } from "../mail/outgoing-queries.ts";
import { readableDate, readableMoney, readableTime } from "../mail/readable.ts";
import { reasonInWords } from "../payments/receipts/reason-in-words.ts";
import { type News, type NewsLine, newsMember, readNews } from "./news-queries.ts";
import WORDS from "./news-words.json" with { type: "json" };

/** Where a member chooses what they are told. */
export const NEWS_PATH = "/mails-to-you";

/** The mail with what happened in its time and still holds; null where nothing does, or the member was removed. */
export const readyNewsMail = workStep({
  in: "workspace",
  async run({ tx, tenantId }, { subject_id, recipient, news_from, news_until }: ClaimedMail, publicOrigin: string) {
    const member = await newsMember(tx, tenantId, subject_id);
    if (member?.email !== recipient || !news_from || !news_until) return null;
    const { workspace_name: workspaceName } = member;
    const news = await readNews(tx, { ...member, since: news_from, until: news_until });
    if (news.length === 0) return null;
    const ids = news.flatMap(({ lines }) => lines.flatMap(({ erp }) => erp ?? []));
    const erps = await connectionNames(tx, tenantId, ids);
    const parts = news.map((one) => partOf(one, erps));
    const what = parts.map((part) => part.what).join(", ");
    const pageAt = (path = "/") => `${publicOrigin}${path}?workspace=${tenantId}`;
    return memberMail(workspaceName, {
      subject: `${workspaceName}: ${what}`,
      heading: what,
      paragraphs: [`Since ${readableTime(news_from, member.timezone)}:`],
      facts: [...parts.flatMap(({ facts }) => facts), ["Choose what you are told", { exact: pageAt(NEWS_PATH) }]],
      action: { label: "See it", url: pageAt(parts.length > 1 ? "/" : parts[0]?.path) },
      closing: "Sent to you as a member of this workspace.",
    });
  },
});

function partOf({ topic, total, lines }: News, erps: ReadonlyMap<string | null, string>) {
  const { one, several, each, path } = WORDS[topic];
  const told = lines.map((line) => lineOf({ ...line, who: line.who ?? erps.get(line.erp ?? null) ?? null }));
  if (total > told.length) told.push(`and ${total - told.length} more`);
  return { path, what: counted(total, one, several), facts: told.map((line) => [each, line] as const) };
}

function lineOf({ money, who, number, due, state, reason, failure }: NewsLine) {
  const about = [money && readableMoney(...money), who, number, due && `due ${readableDate(due)}`, state];
  const why = failure ? failureReason(failure) : reason && reasonInWords(reason);
  return [about.filter(Boolean).join(", "), why].filter(Boolean).join(": ");
}
