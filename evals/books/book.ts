import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { sql } from "kysely";
import { readConfig } from "../../src/config.ts";
import type { Log } from "../../src/core/gate/dependencies.ts";
import { createService } from "../../src/service.ts";
import type { Store } from "../../src/store/store.ts";
import { type Assistant, approveByForms, connectAssistant } from "../../test/support/assistant.ts";
import { everyRow } from "../../test/support/every-row.ts";
import { freePort } from "../../test/support/server.ts";
import { calendarOf, type Facts, fillSql } from "../placeholders.ts";
import { withNames } from "../questions/sql.ts";

/** Somebody who can sign in. */
export interface Login {
  readonly email: string;
  readonly password: string;
  /** Which of their workspaces, by name, where they have several. */
  readonly workspace?: string;
}

/** A workspace of a book, and who asks about it. */
export interface Workspace {
  readonly name: string;
  readonly admin: Login;
  readonly member: Login;
}

/** The service over a book, started, with its questions' workspaces. */
export interface Book {
  readonly name: string;
  readonly url: string;
  /** Where nothing else is said. */
  readonly main: Workspace;
  /** Whose receipts wait for a person. */
  readonly held: Workspace;
  readonly store: Store;
  close(): Promise<void>;
}

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The service in this process, listening, without its jobs: the book changes by what is asked of it and nothing else. */
export async function openService(environment: Readonly<Record<string, string>>) {
  const port = await freePort();
  const config = readConfig({ PORT: String(port), DEMO: "off", RATE_LIMITS: "off", ...environment });
  const service = await createService(config, { log: silent, sandbox: true });
  const server = createServer(service.app);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    core: service.core,
    url: config.publicUrl,
    async close() {
      server.closeAllConnections();
      server.close();
      await service.close();
    },
  };
}

/** Approves a connection as a person does, with every permission there is to tick. */
export function connect({ url }: Book, { email, password, workspace }: Login): Promise<Assistant> {
  return connectAssistant(
    `${url}/mcp`,
    approveByForms(url, { email, password, ...(workspace === undefined ? {} : { workspace }) }),
    "Questions",
  );
}

/** What is known of a workspace before anything is asked: its id, the time, and the dates people speak of. */
export async function basicsOf({ store }: Book, { name }: Workspace): Promise<Facts> {
  const now = new Date().toISOString();
  const { rows } = await everyRow(store, (tx) =>
    sql<{ tenant_id: string; timezone: string; today: string }>`
      select tenant_id::text, timezone, ((${now}::timestamptz at time zone timezone)::date)::text as today
      from tenants where name = ${name}`.execute(tx),
  );
  const [found] = rows;
  if (found === undefined) throw new Error(`the book has no workspace ${name}`);
  return { ...calendarOf(found.today), ...found, now, key: randomUUID() };
}

/** Rows of a plain statement, over one workspace (questions/sql.ts). */
export async function readBook({ store }: Book, statement: string, facts: Facts): Promise<Record<string, unknown>[]> {
  const text = fillSql(withNames(statement), facts);
  return everyRow(store.patient, async (tx) => {
    // Nothing is known of what the named parts hold, and a loop in a loop over a large book does not end.
    await sql`set local enable_nestloop = off`.execute(tx);
    return (await sql.raw<Record<string, unknown>>(text).execute(tx)).rows;
  });
}
