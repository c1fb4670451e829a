/**
 * The thread that holds the embedded store. One statement at a time, in the order they arrive;
 * whoever needs several to belong together holds the connection (embedded.ts) meanwhile.
 */
import { parentPort, workerData } from "node:worker_threads";
import { PGlite } from "@electric-sql/pglite";
import { PARSERS } from "./types.ts";

export interface WorkerRequest {
  id: number;
  sql: string;
  parameters: readonly unknown[];
}

export type WorkerResponse =
  // What a row looks like is known to whoever wrote the statement, not here.
  | { id: number; rows: never[]; rowCount: number; command: string }
  | { id: number; error: { message: string; fields: Record<string, string> } };

/** What the thread says on its own account: it is open; it is closed; PostgreSQL has died in it, in its own words. */
export type WorkerNews = "ready" | "closed" | { readonly died: string };

/** PGlite goes round in circles after a PANIC, mostly without an answer: its last words are all there is. */
const LAST_WORDS = /PANIC:.*|^Aborted\(/;

const ERROR_FIELDS = ["code", "severity", "detail", "constraint", "table", "column", "schema"] as const;

function errorOf(id: number, error: unknown): WorkerResponse {
  const fields: Record<string, string> = {};
  if (typeof error === "object" && error !== null) {
    for (const name of ERROR_FIELDS) {
      const value: unknown = Reflect.get(error, name);
      if (typeof value === "string") fields[name] = value;
    }
  }
  return { id, error: { message: error instanceof Error ? error.message : String(error), fields } };
}

const port = parentPort;
if (port === null) throw new Error("embedded-worker runs as a worker thread");
const tell = (news: WorkerNews): void => port.postMessage(news);
const { directory }: { directory: string } = workerData;
const database = await PGlite.create(directory, {
  parsers: PARSERS,
  // A quarter of the default: halves the memory of the process for a book of this size.
  onStderr(text) {
    const words = LAST_WORDS.exec(text)?.[0];
    if (words !== undefined) tell({ died: words });
    return true;
  },
  startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB", "-c", "timezone=UTC"],
});

/** A statement of the transaction under way has failed. */
let hasFailed = false;

async function run({ id, sql, parameters }: WorkerRequest): Promise<WorkerResponse> {
  try {
    if (sql.startsWith("begin")) hasFailed = false;
    // The store rolls back what it is told to commit after a statement failed, and calls that no error.
    if (sql === "commit" && hasFailed) throw new Error("a transaction with a failed statement is not committed");
    if (parameters.length === 0 && sql.includes(";")) {
      await database.exec(sql);
      return { id, rows: [], rowCount: 0, command: "" };
    }
    const { rows, affectedRows = 0 } = await database.query<never>(sql, [...parameters]);
    return { id, rows, rowCount: affectedRows, command: commandOf(sql) };
  } catch (error) {
    hasFailed = true;
    return errorOf(id, error);
  }
}

/** The tag a PostgreSQL server would report; a CTE that writes is tagged by what it ends in, which nobody here reads. */
function commandOf(sql: string): string {
  return (/^\s*(\w+)/.exec(sql)?.[1] ?? "").toUpperCase();
}

let queue: Promise<void> = Promise.resolve();
port.on("message", (message: WorkerRequest | "close") => {
  queue = queue.then(async () => {
    if (message === "close") {
      await database.close();
      tell("closed");
      port.close();
    } else {
      port.postMessage(await run(message));
    }
  });
});
tell("ready");
