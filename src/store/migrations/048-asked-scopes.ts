import { type Kysely, sql } from "kysely";

/** What an assistant asked for is kept with its connection: clients repeat it when they refresh. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table assistant_connections add column asked_scopes text not null default ''`.execute(db);
}
