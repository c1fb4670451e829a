import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";

const STATEMENTS = [
  `create table mail_settings (
    tenant_id uuid primary key references tenants,
    locale text not null,
    postal_address text,
    reply_to text,
    contact text,
    logo bytea,
    logo_width integer,
    logo_height integer,
    updated_at timestamptz(3) not null,
    check ((logo is null) = (logo_width is null) and (logo is null) = (logo_height is null))
  )`,
  ...wall("mail_settings").split(";\n"),
  `create table customer_mailing (
    tenant_id uuid not null references tenants,
    customer_id uuid not null,
    locale text,
    no_mail boolean not null,
    updated_at timestamptz(3) not null,
    primary key (tenant_id, customer_id),
    foreign key (tenant_id, customer_id) references customers
  )`,
  ...wall("customer_mailing").split(";\n"),
  "alter table link_emails add column rejection text, add column rejected_at timestamptz(3)",
  "create index link_emails_rejected on link_emails (tenant_id, rejected_at) where rejected_at is not null",
];

/** What mails to customers look like, in which language, who gets none, and what mail servers rejected. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) if (statement.trim() !== "") await sql.raw(statement).execute(db);
}
