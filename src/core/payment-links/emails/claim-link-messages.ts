import type { Transaction } from "../../../store/store.ts";
import { type Lease, nextLines } from "../../../store/work-queue.ts";
import { type ClaimOptions, claimByTurns, newLease } from "../../gate/claims.ts";
import { type Core, nowOf } from "../../gate/dependencies.ts";
import { instantsOf, later, POLL_AGAIN, retryAt } from "../../gate/retry.ts";
import { addDays, businessDate } from "../../kernel/calendar.ts";
import { startOfDay, timeOn } from "../../kernel/local-time.ts";
import { RESERVED_MS } from "../link-queries.ts";
import {
  type ClaimedMessage,
  type DueEmail,
  type GroupedEmail,
  holdNextEmail,
  LINK_EMAILS,
  leaseEmails,
  lockDueEmails,
  lockMessage,
  postponeEmails,
  standingOf,
} from "./claim-message-queries.ts";
import { DEFAULT_SEND_AT } from "./send-time.ts";

/** Customers whose emails are put off count too, so that no claim goes on for long. */
const MOST_LOOKED_AT = 100;

/**
 * Claims up to `limit` messages for `leaseMs`, by turns of workspaces; from then on, another worker may. A message holds all
 * emails of one customer to one address that are due, however many. A customer who was sent one today gets what a workflow
 * scheduled for today with the next day's; what a person moved to today goes out today (completions §7).
 */
export function claimLinkMessages(core: Core, { leaseMs, ...options }: ClaimOptions) {
  let looked = 0;
  return claimByTurns(core, options, {
    find: (tx, shards, search) =>
      nextLines(tx, shards, LINK_EMAILS, instantsOf(core), { ...search, except: options.except }),
    async claim(tx, line) {
      const lease = newLease(core, leaseMs);
      const due = await holdNextEmail(tx, line, lease);
      if (due === undefined) return { rows: [] };
      const message = await claimMessage(tx, core, due, lease);
      looked += 1;
      return { rows: message === null ? [] : [message], hasMore: looked < MOST_LOOKED_AT };
    },
  });
}

/** The message that a due email goes out in; null where its customer's emails are put off. */
async function claimMessage(tx: Transaction, core: Core, due: DueEmail, lease: Lease) {
  const isRetry = due.message_id !== null;
  const emails = isRetry ? await lockMessage(tx, due, lease) : await sendableToday(tx, core, due);
  if (emails.length === 0) return null;
  const message: ClaimedMessage = {
    tenant_id: due.tenant_id,
    message_id: due.message_id ?? core.newId(),
    attempts: Math.max(...emails.map(({ attempts }) => attempts)) + 1,
    claim_id: lease.claimId,
    claimed_at: nowOf(core),
  };
  await leaseEmails(tx, message, { expiresAt: lease.expiresAt, linkIds: idsOf(emails) });
  return message;
}

/** The customer's due emails that go out today; the others are put off. */
async function sendableToday(tx: Transaction, core: Core, due: DueEmail) {
  const { tenant_id: tenantId, timezone } = due;
  const now = nowOf(core);
  const today = businessDate(core.clock.now(), timezone);
  const emails = await lockDueEmails(tx, due, instantsOf(core));
  const day = { since: startOfDay(today, timezone), until: startOfDay(addDays(today, 1), timezone) };
  const standing = await standingOf(tx, due, { now, ...day, reservedSince: later(core, -RESERVED_MS) });
  if (standing?.is_being_made) {
    await postponeEmails(tx, tenantId, idsOf(emails), { at: retryAt(core, POLL_AGAIN.making), moved: false });
    return [];
  }
  const [chosen, scheduled] = [emails.filter(isChosen), emails.filter((email) => !isChosen(email))];
  if (standing?.was_sent) {
    const times = Map.groupBy(scheduled, (email) => email.workflow_send_at ?? DEFAULT_SEND_AT);
    for (const [time, group] of times)
      await postponeEmails(tx, tenantId, idsOf(group), {
        at: timeOn(addDays(today, 1), time, timezone),
        moved: true,
      });
    return chosen;
  }
  if (standing?.is_under_way) {
    await postponeEmails(tx, tenantId, idsOf(scheduled), { at: retryAt(core, POLL_AGAIN.underWay), moved: false });
    return chosen;
  }
  return emails;
}

const isChosen = (email: GroupedEmail) => email.moved_by_person;

const idsOf = (emails: readonly GroupedEmail[]) => emails.map((email) => email.payment_link_id);
