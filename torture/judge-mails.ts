import type { Core } from "../src/core/gate/dependencies.ts";
import type { Mailing } from "./mailing.ts";
import { rowsOf } from "./rows.ts";
import type { Tally } from "./tally.ts";
import { unsentMails } from "./unfinished.ts";

/** A customer has one message a day, and each link stands in one message, which went to nobody else (completions §7). */
export async function judgeMails(core: Core, mailing: Mailing, tally: Tally): Promise<void> {
  // Before the rows: what is accepted later is not theirs yet.
  const accepted = [...mailing.accepted];
  for (const left of await unsentMails(core, mailing)) tally.count("lost", `${left}, unsent`);
  const { links } = await rowsOf(core, mailing.tenant);
  const sent = links.filter((row) => row.email_status === "sent");
  const ofDay = Map.groupBy(sent, (row) => `${row.email_to} on ${row.email_sent_at?.slice(0, 10)}`);
  for (const [day, rows] of ofDay) {
    const messages = new Set(rows.map((row) => row.email_message_id));
    if (messages.size > 1) tally.count("doubled", `messages to ${day}: ${messages.size}`);
  }
  const mailed = accepted.filter(({ text }) =>
    links.some((row) => text.includes(row.provider_link_id ?? row.payment_link_id)),
  );
  for (const row of links) {
    const id = row.provider_link_id;
    const told = id === null ? [] : mailed.filter(({ text }) => text.includes(id));
    const messages = new Set(told.map(({ messageId }) => messageId));
    if (messages.size > 1) tally.count("doubled", `messages with ${row.payment_link_id}: ${messages.size}`);
    if (row.email_status !== "sent") continue;
    if (!messages.has(row.email_message_id ?? "")) tally.count("lost", `the message with ${row.payment_link_id}`);
    if (told.some(({ to }) => to !== row.email_to))
      tally.count("crossTenant", `the message with ${row.payment_link_id} went to ${told.map(({ to }) => to).join()}`);
  }
  const again = mailed.length - new Set(mailed.map(({ messageId }) => messageId)).size;
  const messages = new Set(sent.map((row) => row.email_message_id));
  tally.notes.push(`${messages.size} messages with ${sent.length} links to customers, ${again} of them accepted again`);
}
