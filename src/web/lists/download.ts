import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { costlyWork } from "../../core/gate/costly-work.ts";
import { businessDate } from "../../core/kernel/calendar.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { type CsvColumn, csvLine, csvRow } from "./csv.ts";

/** A page of rows, and the cursor of the next. */
export interface RowsPage {
  readonly rows: readonly unknown[];
  readonly next: string | null;
  /** The number of rows in the list, as counted with the first page. */
  readonly total?: number | undefined;
}

const MOST_OF_WORKSPACE = 20;
/** A download is ended after this time in which its reader took nothing of it. */
const IDLE_MS = 120_000;

/**
 * Two pages are read at a time for all downloads of this process, workspaces in turn, so that downloads do not delay
 * pages.
 */
const TOO_MANY = { tooMuch: "Too many downloads at once. Try again in a minute.", retryAfterSeconds: 60 };
const inTurn = costlyWork({ concurrency: 2, waitingOfSource: MOST_OF_WORKSPACE, sources: 500, ...TOO_MANY });

/** Downloads under way in this process, by workspace: one that its reader does not take holds a page and a connection. */
const underWay = new Map<string, number>();

async function counted(tenantId: string, work: () => Promise<void>): Promise<void> {
  const before = underWay.get(tenantId) ?? 0;
  if (before >= MOST_OF_WORKSPACE) throw new ServiceError("rate_limit_exceeded", TOO_MANY.tooMuch, TOO_MANY);
  underWay.set(tenantId, before + 1);
  try {
    await work();
  } finally {
    const left = (underWay.get(tenantId) ?? 1) - 1;
    if (left > 0) underWay.set(tenantId, left);
    else underWay.delete(tenantId);
  }
}

/** The byte order mark, by which spreadsheets recognize UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Sends a list as a file, read page by page as fast as the browser takes it. `X-Total-Count` is the number of rows; an
 * error after the first page ends the connection, so that a partial file is not taken for the whole. Throws the errors
 * of the first page.
 */
export function sendCsv(visit: WorkspaceVisit, file: CsvFile): Promise<void> {
  return counted(visit.workspace.tenantId, () => send(visit, file));
}

interface CsvFile {
  readonly name: string;
  readonly columns: readonly CsvColumn[];
  read(cursor: string | null): Promise<RowsPage>;
}

async function send(visit: WorkspaceVisit, { name, columns, read }: CsvFile): Promise<void> {
  const { response, request, site, requestId } = visit;
  const { tenantId, timezone } = visit.workspace;
  const readInTurn = (cursor: string | null): Promise<RowsPage> => inTurn(tenantId, () => read(cursor));
  const first = await readInTurn(null);
  async function* lines(): AsyncGenerator<string> {
    yield BYTE_ORDER_MARK + csvLine(columns.map((column) => column.name));
    for (let page = first; ; page = await readInTurn(page.next)) {
      yield page.rows.map((row) => csvRow(columns, row)).join("");
      if (page.next === null) return;
    }
  }
  if (first.total !== undefined) response.setHeader("X-Total-Count", String(first.total));
  response.attachment(`${name}-${businessDate(site.core.clock.now(), timezone)}.csv`);
  response.type("text/csv; charset=utf-8; header=present");
  if (request.method === "HEAD") return void response.end();
  response.setTimeout(IDLE_MS, () => response.destroy());
  try {
    await pipeline(Readable.from(lines()), response);
  } catch (error) {
    // The response has begun, so there is no other way to report an error.
    site.core.log.warn({ err: error, request_id: requestId }, "csv.ended_early");
  }
}
