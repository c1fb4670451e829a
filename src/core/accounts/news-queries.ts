import { type RawBuilder, sql } from "kysely";
import type { ReceiptReason } from "../../erp-reasons.ts";
import { type Shards, tenantsWith } from "../../store/shards.ts";
import type { Transaction } from "../../store/store.ts";
import type { NewsTopic } from "../../store/tables/mail.ts";
import { needsPerson } from "../attention-items/attention-queries.ts";
import { RECEIPT_FAILURES } from "../collection/push-outcome.ts";
import { businessDate } from "../kernel/calendar.ts";
import { sameTenant } from "../kernel/same-tenant.ts";
import type { MailFailure } from "../mail/failure.ts";
import { EMAILS } from "../payment-links/emails/link-email-queries.ts";

/** What a member chose, else by default: to an admin what went wrong. */
const TOLD = sql<NewsTopic[]>`coalesce(news.topics, case when member.role = 'admin'
  then array['mails_failed', 'receipts_failed', 'erp_refused'] else '{}' end)`.as("told");

/** The present members of a workspace with what they are told by mail. */
function newsMembers(tx: Transaction, tenantId: string) {
  return tx
    .selectFrom("members as member")
    .innerJoin("tenants as tenant", "tenant.tenant_id", "member.tenant_id")
    .innerJoin("member_news as news", sameTenant("news", "member", "member_id"))
    .selectAll("news")
    .select(["member.email", "tenant.name as workspace_name", "tenant.timezone", TOLD])
    .where("member.tenant_id", "=", tenantId)
    .where("member.removed_at", "is", null);
}

/** One of them; undefined for who was removed. */
export const newsMember = (tx: Transaction, tenantId: string, memberId: string) =>
  newsMembers(tx, tenantId).where("member.member_id", "=", memberId).executeTakeFirst();

/** What is put off beyond the next morning was so by a clock that was wrong. */
const isDue = (now: string) => sql`(due_at <= ${now} or due_at > ${now}::timestamptz + interval '2 days')`;

/** The workspaces with members whose news are due. */
export const tenantsWithDueNews = (tx: Transaction, shards: Shards, now: string) =>
  tenantsWith(tx, shards, "member_news", isDue(now));

/** Those of one workspace to whom no earlier news wait to be sent. */
export function dueNews(tx: Transaction, tenantId: string, now: string) {
  return newsMembers(tx, tenantId)
    .where(
      sql<boolean>`${isDue(now)} and not exists (select from outgoing_mails as mail where mail.tenant_id = ${tenantId}
        and mail.status = 'queued' and mail.subject_id = member.member_id)`,
    )
    .execute();
}

/** What there is to say of one thing. */
export interface NewsLine {
  money?: [amount: string, currency: string];
  /** The customer's name. */
  who?: string | null;
  /** The id of its connection. */
  erp?: string;
  number?: string | null;
  due?: string;
  /** Of a receipt. */
  state?: string;
  reason?: ReceiptReason | null;
  failure?: MailFailure;
}

/** What happened of a topic and still holds: how much, and the first few of it. */
export interface News {
  topic: NewsTopic;
  total: number;
  lines: readonly NewsLine[];
}

/** Lines of a topic in a mail; of more the number is told. */
const MOST_LINES = 10;

/** The topics that a member is told of, after `since` and up to `until`; of days, those that ended in that time. */
interface Asked {
  tenant_id: string;
  told: readonly NewsTopic[];
  since: string;
  until: string;
  timezone: string;
}

/** Whether there are any: it looks for the first, and counts nothing. */
export async function hasNews(tx: Transaction, asked: Asked) {
  const parts = partsOf(asked);
  const each = asked.told.map((topic) => sql`exists (select from ${parts[topic][1]})`);
  const { rows } = await sql<{ has: boolean }>`select ${sql.join([sql`false`, ...each], sql` or `)} as has`.execute(tx);
  return rows[0]?.has === true;
}

export async function readNews(tx: Transaction, asked: Asked) {
  if (asked.told.length === 0) return [];
  const parts = partsOf(asked);
  const each = asked.told.map((topic) => {
    const [line, from] = parts[topic];
    return sql`select ${sql.lit(topic)} as topic, max(total)::int as total, jsonb_agg(line) as lines from (
      select jsonb_build_object(${line}) as line, count(*) over () as total from ${from} limit ${MOST_LINES}
    ) as part having count(*) > 0`;
  });
  return (await sql<News>`${sql.join(each, sql` union all `)}`.execute(tx)).rows;
}

type Part = readonly [line: RawBuilder<unknown>, from: RawBuilder<unknown>];

function partsOf({ tenant_id: tenantId, since, until, timezone }: Asked): Record<NewsTopic, Part> {
  const within = (column: string) => sql`${sql.ref(column)} > ${since} and ${sql.ref(column)} <= ${until}`;
  const [from, today] = [since, until].map((at) => businessDate(new Date(at), timezone));
  const debt = sql`'money', jsonb_build_array(debt.amount::text, debt.currency), 'who', invoice.customer_name,
    'number', invoice.invoice_number`;
  const debts = (table: "payments" | "aging_debts") => sql`${sql.table(table)} as debt
    join invoices as invoice on invoice.tenant_id = debt.tenant_id and invoice.invoice_id = debt.invoice_id
    where debt.tenant_id = ${tenantId}`;
  return {
    payments_received: [
      debt,
      sql`${debts("payments")} and debt.payment_link_id is not null and ${within("debt.confirmed_at")}
        order by debt.confirmed_at`,
    ],
    mails_failed: [
      sql`'who', max(invoice.customer_name), 'failure', jsonb_agg(email) -> 0`,
      sql`${EMAILS} where email.tenant_id = ${tenantId} and email.status = 'failed' and ${within("email.failed_at")}
        and link.state = 'active' and link.paid_at is null
        group by email.recipient, failed_at`,
    ],
    receipts_failed: [
      sql`${debt}, 'state', erp_push_status, 'reason', erp_push_error`,
      sql`${debts("payments")} and ${needsPerson} and debt.payment_id = any(array(
        select entry.object_id::uuid from audit_entries as entry where entry.tenant_id = ${tenantId}
          and entry.operation in (${sql.join(Object.values(RECEIPT_FAILURES))}) and ${within("entry.at")}))`,
    ],
    erp_refused: [
      sql`'erp', connection_id`,
      sql`erp_connections where tenant_id = ${tenantId} and status = 'requires_reauthentication'
        and ${within("status_since")}`,
    ],
    fell_overdue: [
      sql`${debt}, 'due', debt.due_date`,
      sql`${debts("aging_debts")} and debt.due_date >= ${from} and debt.due_date < ${today}
        and debt.currency = any(array(select currency from aging_totals where tenant_id = ${tenantId}))
        order by debt.due_date`,
    ],
  };
}
