import ERP_SENTENCES from "../../src/erp-sentences.json" with { type: "json" };
import WORKFLOW_SENTENCES from "../../src/workflow-sentences.json" with { type: "json" };

/** The sentences that need no figure. */
const SENTENCES = Object.entries({ ...ERP_SENTENCES, ...WORKFLOW_SENTENCES })
  .filter(([, sentence]) => !sentence.includes("{"))
  .map(([code, sentence]) => `('${code}', '${sentence.replaceAll("'", "''")}')`);

/**
 * Plain SQL of the questions' truths. A statement sees one workspace by these names: `workspace` (its id, timezone and today),
 * `invoice` (retired ones too), `part` (live installments), `debt` (what aging counts, service.md §4.10), `payment`, `link`, `run`, `execution` and `task`. `{name}` is a literal.
 */
const NAMES = `
  workspace as (
    select tenant_id, name, timezone, (timestamptz {now} at time zone timezone)::date as today
    from tenants where tenant_id = {tenant_id}
  ),
  invoice as (
    select * from invoices where tenant_id = {tenant_id}
  ),
  part as (
    select installments.*, invoice.invoice_number, invoice.customer_id, invoice.currency
    from installments join invoice using (tenant_id, invoice_id)
    where installments.tenant_id = {tenant_id} and removed_at is null and retired_at is null
  ),
  owed as (
    select invoice_id, installment_id, sequence_number, due_date, collection_outstanding as amount, not_collectible_reason as reason
    from part where not closed and collection_outstanding > 0 and due_date is not null
    union all
    select invoice_id, null, null, due_date, collection_outstanding, case
        when not finalised then 'not_finalised' when customer_email is null then 'no_billing_email'
        when not exists (select from payment_integrations integration where integration.tenant_id = invoice.tenant_id
          and integration.status = 'connected' and invoice.currency = any(integration.currencies))
        then 'currency_not_supported' end
    from invoice where not has_installments and retired_at is null and collection_outstanding > 0 and due_date is not null
  ),
  debt as (
    select owed.*, workspace.today - owed.due_date as days_overdue, coalesce(invoice.currency, 'UNKNOWN') as currency,
      coalesce(invoice.invoice_number, '') as invoice_number, invoice.customer_id, invoice.connection_id,
      coalesce(customer.name, invoice.customer_name, 'Unassigned') as customer_name,
      invoice.customer_number,
      coalesce(invoice.customer_id::text, 'unassigned:' || invoice.invoice_id) as customer_key
    from owed cross join workspace join invoice using (invoice_id)
      left join customers customer on customer.tenant_id = invoice.tenant_id and customer.customer_id = invoice.customer_id
  ),
  reason (code, sentence) as (
    values ${SENTENCES.join(", ")}
  ),
  payment as (
    select payments.*, sentence || coalesce(' The ERP says: “' || (erp_push_error ->> 'erp') || '”', '') as why,
      invoices.invoice_number, invoices.customer_id, invoices.customer_name
    from payments join invoices on invoices.tenant_id = payments.tenant_id and invoices.invoice_id = payments.invoice_id
      left join reason on reason.code = erp_push_error ->> 'code'
    where payments.tenant_id = {tenant_id} and payment_link_id is not null
  ),
  link as (
    select payment_links.*, invoices.invoice_number, invoices.customer_id, invoices.customer_name, mail.status as email_status,
      mail.send_at, mail.sent_at
    from payment_links join invoices on invoices.tenant_id = payment_links.tenant_id and invoices.invoice_id = payment_links.invoice_id
      left join link_emails mail on mail.tenant_id = payment_links.tenant_id
        and mail.payment_link_id = payment_links.payment_link_id
    where payment_links.tenant_id = {tenant_id} and state in ('active', 'paid', 'deactivated')
  ),
  run as (
    select sync_runs.*, coalesce(sentence, case error_reason ->> 'code' when 'failing'
        then replace('${ERP_SENTENCES.failing.replace("{status}", "…")}', '…', error_reason ->> 'status') end) as why
    from sync_runs left join reason on reason.code = error_reason ->> 'code' where tenant_id = {tenant_id}
  ),
  execution as (
    select workflow_executions.*, coalesce(sentence, coalesce(
        (workflow_executions.reason ->> 'refused') || ' of ' || nullif(workflow_executions.reason ->> 'of', '1') || ' links could not be made: ', '')
        || (select string_agg(error, ' ') from jsonb_array_elements_text(workflow_executions.reason -> 'errors') as error)) as why
    from workflow_executions left join reason on reason.code = workflow_executions.reason ->> 'code'
    where tenant_id = {tenant_id}
  ),
  task as (
    select tasks.*, invoices.invoice_number, invoices.customer_name, invoices.currency, invoices.collection_outstanding,
      coalesce(people.name, people.email) as assignee_name
    from tasks join invoices on invoices.tenant_id = tasks.tenant_id and invoices.invoice_id = tasks.invoice_id
      left join members on members.tenant_id = tasks.tenant_id and members.member_id = tasks.assignee_id
        and members.removed_at is null
      left join people on people.person_id = members.person_id
    where tasks.tenant_id = {tenant_id}
  )`;

/** A statement that gives each row of an answer as one array of texts. */
export function select(columns: readonly string[], rest: string): string {
  return `select jsonb_build_array(${columns.map((column) => `coalesce((${column})::text, '')`).join(", ")}) as cells ${rest}`;
}

/** Money as a cell; `UNKNOWN` for a missing currency. */
export function cash(currency: string, amount: string): string {
  return `coalesce(${currency}, 'UNKNOWN') || ' ' || trim_scale(${amount})`;
}

/** The statement with what its names stand for. */
export function withNames(statement: string): string {
  return `with ${NAMES} ${statement}`;
}

/** The rows of several statements. */
export function union(...statements: readonly string[]): string {
  return `select cells from (${statements.map((statement) => `(${statement})`).join(" union all ")}) as all_of_them`;
}

/** A customer with a few overdue installments whom nobody takes for another. */
export const A_CUSTOMER = `
  select customer_id, customer_key, customer_name, customer_number from (
    select customer_id::text, customer_key, customer_name, customer_number, sum(amount) as owed from debt
    where customer_id is not null and days_overdue > 0
    group by 1, 2, 3, 4 having count(*) between 3 and 20 order by owed desc limit 40
  ) as owing
  where 1 = (select count(*) from customers join workspace using (tenant_id)
    where strpos(lower(customers.name), lower(owing.customer_name)) > 0)
  order by owed desc limit 1`;

/** The customer who paid through links most often. */
export const A_PAYER = `
  select customer_id::text, customer_name from payment where customer_id is not null
  group by 1, 2 order by count(*) desc, 1 limit 1`;

/** Of a link or task: no other invoice has the number of its invoice. */
export const numberIsSole = (of: "link" | "task"): string =>
  `1 = (select count(*) from invoices as numbered
    where numbered.tenant_id = ${of}.tenant_id and numbered.invoice_number = ${of}.invoice_number)`;

/** Of a link: it is the only active one of an invoice that its number finds. */
export const SOLE_LINK = `${numberIsSole("link")}
  and 1 = (select count(*) from link other where other.invoice_id = link.invoice_id and other.state = 'active')`;

/** An invoice whose number is its own, of a kind that a condition says. */
export const anInvoice = (condition: string, order = "total_amount desc nulls last"): string => `
  select invoice_id::text, invoice_number from invoice
  where invoice_number is not null and ${condition}
    and 1 = (select count(*) from invoices other where other.tenant_id = invoice.tenant_id
      and other.invoice_number = invoice.invoice_number)
  order by ${order}, invoice_id limit 1`;

/** An invoice with a live installment that cannot be collected for that reason. */
export const anInvoiceThatIs = (reason: string): string =>
  anInvoice(`invoice_id in (select invoice_id from installments where tenant_id = {tenant_id}
    and removed_at is null and not_collectible_reason = '${reason}')`);

/** The column of installments with the date on which the ERP closed them. */
const CLOSED_ON = "closed_on";

/** How customers pay (completions §10): one row for each customer who has closed installments. */
export const LATENESS = `
  select customer_id, count(*) as paid_installments, trim_scale(round(avg(late), 1)) as average_days_late,
    percentile_cont(0.5) within group (order by late) as median_days_late,
    trim_scale(round(avg((late <= 0)::int), 2)) as on_time_share
  from (
    select invoices.customer_id, installments.${CLOSED_ON} - installments.due_date as late
    from installments cross join workspace
      join invoices on invoices.tenant_id = installments.tenant_id and invoices.invoice_id = installments.invoice_id
    where installments.tenant_id = {tenant_id} and closed and installments.${CLOSED_ON} >= today - interval '2 years' and invoices.customer_id is not null
  ) as closed where late is not null group by customer_id`;

/** Debts with the day on which they are expected, by how their customers pay (completions §10); null where it is past. */
export const EXPECTED = `
  select debt.*, case when usual_date >= today then usual_date end as expected_date
  from debt cross join workspace join (${LATENESS}) as history using (customer_id)
    cross join lateral (select debt.due_date + ceil(median_days_late)::int as usual_date) as usual
  where paid_installments >= 3`;

/** A customer of whom enough is known to say how they pay, and who owes something. */
export const A_KNOWN_PAYER = `
  select customer_id::text, customer_key, customer_name from (${LATENESS}) as history
    join (select distinct customer_id, customer_key, customer_name from debt) as owing using (customer_id)
  where paid_installments >= 3 order by paid_installments desc, customer_id limit 1`;
