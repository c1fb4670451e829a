/** The service's own statements for a call, its context and its newest invoices, as text for `pg`. */

/** `$1` tenant, `$2` connection, `$3` client, `$4` person, `$5` now, `$6` minute, `$7` limit, `$8` and `$9` failed attempts. */
export const AUTHORIZE = `
  with failed as (
    select coalesce(max(hits), 0) as failures from attempt_windows where subject = $8 and window_start = $9::timestamptz
  ), caller as (
    select member.member_id, connection.scopes, connection.given_scopes, connection.revoked_at is not null as revoked,
      member.removed_at is not null as removed, member.role, tenant.assistant_access, tenant.assistants
    from assistant_connections as connection
    join members as member on member.tenant_id = connection.tenant_id and member.member_id = connection.member_id
    join tenants as tenant on tenant.tenant_id = connection.tenant_id
    where connection.tenant_id = $1::uuid and connection.connection_id = $2::uuid
      and connection.client_id = $3 and member.person_id = $4::uuid
  ), of_connection as (
    insert into rate_windows (tenant_id, subject, window_start, hits)
    select $1::uuid, 'connection:' || $2, $6::timestamptz, 1 from caller where not caller.revoked and not caller.removed
    on conflict (tenant_id, subject, window_start) do update set hits = rate_windows.hits + 1
    returning hits
  ), of_tenant as (
    insert into rate_windows (tenant_id, subject, window_start, hits)
    select $1::uuid, 'connections', $6::timestamptz, 1 from of_connection
    where $7::int is null or of_connection.hits <= $7::int
    on conflict (tenant_id, subject, window_start) do update set hits = rate_windows.hits + 1
    returning hits
  ), used as (
    update assistant_connections set last_used_at = $5::timestamptz
    where (tenant_id, connection_id) in (
      select tenant_id, connection_id from assistant_connections
      where tenant_id = $1::uuid and connection_id = $2::uuid
        and (last_used_at is null or last_used_at <= $5::timestamptz - interval '1 minute')
        and exists (select from of_connection)
      for no key update skip locked)
  )
  select failed.failures, caller.*, (select hits from of_connection) as connection_hits,
    (select hits from of_tenant) as tenant_hits
  from failed left join caller on true`;

/** `$1` tenant, `$2` connection, `$3` member. */
export const CONTEXT = `
  select tenant.name as tenant_name, tenant.timezone, member.email, member.name, connection.client_name,
    connection.created_at, connection.last_used_at
  from assistant_connections as connection
  join tenants as tenant on tenant.tenant_id = $1 and tenant.tenant_id = connection.tenant_id
  join members as member on member.tenant_id = $1 and member.tenant_id = connection.tenant_id
    and member.member_id = connection.member_id
  where connection.tenant_id = $1 and connection.connection_id = $2 and connection.member_id = $3`;

/** `$1` tenant. */
export const DAYS = `
  select tenants.timezone, aging_state.as_of
  from tenants left join aging_state on aging_state.tenant_id = $1 and aging_state.tenant_id = tenants.tenant_id
  where tenants.tenant_id = $1`;

/** `$1` tenant, `$2` how many, `$3` the business day. */
export const INVOICES = `
  select invoice_id, invoice_number, currency, total_amount, erp_invoice_open_balance, invoice_date, due_date,
    collection_due_date, collection_outstanding,
    case
      when retired_at is not null then 0
      when has_installments then coalesce((
        select sum(part.collection_outstanding) from installments as part
        where part.tenant_id = $1 and part.invoice_id = invoices.invoice_id
          and part.removed_at is null and not part.closed and part.collection_outstanding > 0
          and part.due_date < $3::date), 0)
      when due_date < $3::date then greatest(collection_outstanding, 0)
      else 0 end as overdue_outstanding, amount_collected, erp_push_state, collection_status, customer_id,
    customer_number, customer_name, contact_name, customer_email, origin, connection_id, created_at, updated_at,
    has_active_payment_link, payment_terms,
    case when retired_at is not null then last_synced_at else greatest(last_synced_at,
      (select run.started_at from sync_runs as run
       where run.tenant_id = invoices.tenant_id and run.connection_id = invoices.connection_id
         and run.covers and run.read_through >= invoices.erp_invoice_id
         and (run.pull_from is null or run.pull_from <= invoices.invoice_date)
         and (invoices.missing_since is null or run.started_at < invoices.missing_since)
       order by run.started_at desc limit 1)) end as last_synced_at
  from invoices where tenant_id = $1 order by created_at desc, invoice_id desc limit $2`;
