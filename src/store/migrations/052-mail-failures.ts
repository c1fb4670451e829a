import { type Kysely, sql } from "kysely";

const STATEMENTS = [
  "alter table link_emails rename column rejection to server_codes",
  "alter table link_emails rename column rejected_at to failed_at",
  `alter table link_emails add column server_words text,
    add column failure text check (failure in ('rejected', 'not_taken', 'unsendable'))`,
];

/** Why an email failed, in a code and in the mail server's words. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
