import type { Transaction } from "../../../store/store.ts";
import { committed } from "../../gate/committed.ts";
import { type Core, nowOf } from "../../gate/core.ts";
import { addDays, businessDate } from "../../shared/calendar.ts";
import { farthestOf } from "../../shared/retry.ts";
import { startOfDay, timeOn } from "../../workflows/send-time.ts";
import { DEFAULT_SEND_AT } from "../../workflows/settings.ts";
import { RESERVED_MS } from "../issuing/reserve-links.ts";
import {
  type ClaimedMessage,
  type DueEmail,
  type GroupedEmail,
  holdNextEmail,
  type Instants,
  leaseEmails,
  lockBatch,
  lockDueEmails,
  postponeEmails,
  standingOf,
} from "./link-message-queries.ts";

/** How soon it is looked again whether a link that belongs into a message has been made. */
const MAKING_POLL_MS = 2_000;
/** How soon it is looked again what has become of a customer's other message. */
const UNDER_WAY_POLL_MS = 60_000;
/** Customers whose emails are put off count too, so that no claim goes on for long. */
const MOST_LOOKED_AT = 100;

interface ClaimOptions {
  readonly limit: number;
  readonly leaseMs: number;
}

/**
 * Claims up to `limit` messages for `leaseMs`; from then on, another worker may. A message holds all emails of one customer
 * to one address that are due, however many. A customer who was sent one today gets what a workflow scheduled for today
 * with the next day's; what a person moved to today goes out today (completions §7).
 */
export async function claimLinkMessages(core: Core, options: ClaimOptions): Promise<ClaimedMessage[]> {
  const claimed: ClaimedMessage[] = [];
  // Each in a transaction of its own, so that nobody waits for one customer while holding another.
  const next = () =>
    core.store.system(async (tx) => {
      const due = await holdNextEmail(tx, instantsOf(core));
      return due === undefined ? undefined : claimMessage(tx, core, due, options);
    });
  for (let looked = 0; looked < MOST_LOOKED_AT && claimed.length < options.limit; looked += 1) {
    const message = await committed(next).catch((error: unknown) => {
      // What is claimed already is sent all the same.
      if (claimed.length === 0) throw error;
      core.log.warn({ err: error }, "payment_link.email.claim_failed");
      return undefined;
    });
    if (message === undefined) break;
    if (message !== null) claimed.push(message);
  }
  return claimed;
}

/** The message that a due email goes out in; null where its customer's emails are put off. */
async function claimMessage(
  tx: Transaction,
  core: Core,
  due: DueEmail,
  { leaseMs }: ClaimOptions,
): Promise<ClaimedMessage | null> {
  const isRetry = due.email_batch_id !== null;
  const emails = isRetry ? await lockBatch(tx, due, instantsOf(core)) : await sendableToday(tx, core, due);
  if (emails.length === 0) return null;
  const message: ClaimedMessage = {
    tenant_id: due.tenant_id,
    email_batch_id: due.email_batch_id ?? core.newId(),
    attempts: Math.max(...emails.map(({ attempts }) => attempts)) + 1,
    lease_expires_at: later(core, leaseMs),
  };
  await leaseEmails(tx, message, idsOf(emails));
  return message;
}

/** The customer's due emails that go out today; the others are put off. */
async function sendableToday(tx: Transaction, core: Core, due: DueEmail): Promise<GroupedEmail[]> {
  const { tenant_id: tenantId, timezone } = due;
  const now = nowOf(core);
  const today = businessDate(core.clock.now(), timezone);
  const emails = await lockDueEmails(tx, due, instantsOf(core));
  const day = { since: startOfDay(today, timezone), until: startOfDay(addDays(today, 1), timezone) };
  const standing = await standingOf(tx, due, { now, ...day, reservedSince: later(core, -RESERVED_MS) });
  if (standing.is_being_made) {
    await postponeEmails(tx, tenantId, idsOf(emails), { at: later(core, MAKING_POLL_MS), moved: false });
    return [];
  }
  const [chosen, scheduled] = [emails.filter(isChosen), emails.filter((email) => !isChosen(email))];
  if (standing.was_sent) {
    const times = Map.groupBy(scheduled, (email) => email.workflow_send_at ?? DEFAULT_SEND_AT);
    for (const [time, group] of times)
      await postponeEmails(tx, tenantId, idsOf(group), {
        at: timeOn(addDays(today, 1), time, timezone),
        moved: true,
      });
    return chosen;
  }
  if (standing.is_under_way) {
    await postponeEmails(tx, tenantId, idsOf(scheduled), { at: later(core, UNDER_WAY_POLL_MS), moved: false });
    return chosen;
  }
  return emails;
}

const isChosen = (email: GroupedEmail): boolean => email.email_moved_by_person;

const idsOf = (emails: readonly GroupedEmail[]): string[] => emails.map((email) => email.payment_link_id);

const instantsOf = (core: Pick<Core, "clock">): Instants => ({ now: nowOf(core), farthest: farthestOf(nowOf(core)) });

function later(core: Pick<Core, "clock">, milliseconds: number): string {
  return new Date(core.clock.now().getTime() + milliseconds).toISOString();
}
