import { type Kysely, sql } from "kysely";

/**
 * Wrong passwords by account and address, and the addresses that people signed in from (keyed digests). Neither names a
 * workspace, and the system role alone reaches them. Counters may be lost in a crash.
 */
const STATEMENTS = [
  `create unlogged table sign_in_failures (
    subject text primary key,
    failures integer not null,
    last_at timestamptz(3) not null
  )`,
  "create index sign_in_failures_by_time on sign_in_failures (last_at)",
  `create table sign_in_addresses (
    person_id uuid not null references people,
    address_hash text not null,
    last_at timestamptz(3) not null,
    primary key (person_id, address_hash)
  )`,
  "create index sign_in_addresses_by_time on sign_in_addresses (last_at)",
  ...["sign_in_failures", "sign_in_addresses"].map(
    (table) => `grant select, insert, update, delete on ${table} to receivables_system`,
  ),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
