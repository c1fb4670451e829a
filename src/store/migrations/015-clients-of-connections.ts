import { type Kysely, sql } from "kysely";
import { renewPrimaryKey } from "./renew-primary-key.ts";

/** Whether anybody's approval of a client stands. By its hash, for a client's id may be an address of any length. */
const STATEMENT = `create index assistant_connections_live_clients on assistant_connections using hash (client_id)
  where revoked_at is null`;

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENT).execute(db);
  await renewPrimaryKey(db, "assistant_connections");
}
