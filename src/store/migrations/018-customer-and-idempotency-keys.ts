import { type Kysely, sql } from "kysely";

const TABLES = ["invoices", "customers", "aging_state"];
const WITHOUT_CUSTOMER = "invoice.origin = 'erp' and invoice.customer_id is null and invoice.connection_id is not null";

/**
 * Invoices whose ERP record names no customer had none; they get the connection's one for such (`none`), and are taken in
 * anew by the next pull, which may know an account number. Aging is built anew. The owner of the tables is below row level
 * security as well, and steps out of it meanwhile.
 */
const CUSTOMERS = [
  ...TABLES.map((table) => `alter table ${table} no force row level security`),
  `insert into customers (tenant_id, customer_id, connection_id, erp_customer_id, search_text, sort_name, created_at)
   select invoice.tenant_id, gen_random_uuid(), invoice.connection_id, 'none', '', 'unassigned', date_trunc('milliseconds', now())
   from invoices as invoice where ${WITHOUT_CUSTOMER} group by invoice.tenant_id, invoice.connection_id
   on conflict (tenant_id, connection_id, erp_customer_id) do nothing`,
  `update aging_state as state set as_of = null
   where exists (select from invoices as invoice where invoice.tenant_id = state.tenant_id and ${WITHOUT_CUSTOMER})`,
  `update invoices as invoice set customer_id = customer.customer_id, content_hash = null from customers as customer
   where ${WITHOUT_CUSTOMER} and customer.tenant_id = invoice.tenant_id and customer.connection_id = invoice.connection_id
     and customer.erp_customer_id = 'none'`,
  ...TABLES.map((table) => `alter table ${table} force row level security`),
];

/** Which of several records is kept: the newest that has its answer, else the newest. */
const BEST_FIRST = "(response is not null) desc, created_at desc, operation";

/**
 * Idempotency keys belong to the workspace for API keys, whatever the operation. Records of each API key stay beside the
 * workspace's for the day that they last, and so does the index: processes of the version before find theirs by it.
 */
const IDEMPOTENCY = [
  "alter table idempotency_records no force row level security",
  "delete from idempotency_records where created_at <= now() - interval '24 hours'",
  `delete from idempotency_records as record using (
     select tenant_id, caller, operation, idempotency_key,
       row_number() over (partition by tenant_id, caller, idempotency_key order by ${BEST_FIRST}) as place
     from idempotency_records
   ) as ranked
   where ranked.place > 1 and record.tenant_id = ranked.tenant_id and record.caller = ranked.caller
     and record.operation = ranked.operation and record.idempotency_key = ranked.idempotency_key`,
  "alter table idempotency_records drop constraint idempotency_records_pkey",
  "create unique index idempotency_records_by_operation on idempotency_records (tenant_id, caller, operation, idempotency_key)",
  "alter table idempotency_records add primary key (tenant_id, caller, idempotency_key)",
  `insert into idempotency_records (tenant_id, caller, operation, idempotency_key, request_hash, response, reservation,
     held_until, created_at)
   select distinct on (tenant_id, idempotency_key) tenant_id, 'workspace', operation, idempotency_key, request_hash, response,
     reservation, held_until, created_at
   from idempotency_records where caller like 'key:%'
   order by tenant_id, idempotency_key, ${BEST_FIRST}`,
  "alter table idempotency_records force row level security",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...CUSTOMERS, ...IDEMPOTENCY]) await sql.raw(statement).execute(db);
}
