import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";

const DIRECTORY_TABLES = ["password_resets", "second_factors", "recovery_codes"];

const STATEMENTS = [
  `create table sign_in_rules (
    tenant_id uuid primary key references tenants,
    provider_only boolean not null,
    second_factor boolean not null,
    updated_at timestamptz(3) not null
  )`,
  ...wall("sign_in_rules").split(";\n"),
  `alter table web_sessions
    add column second_factor boolean not null default false,
    add column user_agent text,
    add column address text`,
  "create index web_sessions_of_person on web_sessions (person_id)",
  `create table password_resets (
    reset_id uuid primary key,
    person_id uuid not null references people,
    token_hash text not null,
    created_at timestamptz(3) not null,
    expires_at timestamptz(3) not null,
    used_at timestamptz(3)
  )`,
  "create index password_resets_by_token on password_resets (token_hash)",
  "create index password_resets_of_person on password_resets (person_id)",
  `create table second_factors (
    person_id uuid primary key references people,
    secret text not null,
    confirmed_at timestamptz(3),
    last_step bigint not null,
    created_at timestamptz(3) not null
  )`,
  `create table recovery_codes (
    person_id uuid not null references people,
    code_hash text not null,
    primary key (person_id, code_hash)
  )`,
  ...DIRECTORY_TABLES.map((table) => `grant select, insert, update, delete on ${table} to receivables_system`),
  "alter table outgoing_mails drop constraint outgoing_mails_kind_check",
  `alter table outgoing_mails add constraint outgoing_mails_kind_check
    check (kind in ('task_assigned', 'invitation', 'assistant_connected', 'assistant_extended', 'password_reset'))`,
];

/** Forgotten passwords, a second factor, and what a workspace asks of a sign-in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) if (statement.trim() !== "") await sql.raw(statement).execute(db);
}
