import { type Kysely, sql } from "kysely";

/** What completions §11 keeps: how far a workspace lets assistants go, what people gave and took on the page, who signed in how. */
const STATEMENTS = [
  `alter table tenants add column assistants text not null default 'write' check (assistants in ('read', 'write'))`,
  `alter table assistant_connections
    add column given_scopes text not null default '',
    add column withheld_scopes text not null default ''`,
  "alter table audit_entries add column details jsonb",
  "alter table outgoing_mails drop constraint outgoing_mails_kind_check",
  `alter table outgoing_mails add constraint outgoing_mails_kind_check
    check (kind in ('task_assigned', 'invitation', 'assistant_connected', 'assistant_extended'))`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
