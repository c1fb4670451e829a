import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { costlyWork } from "../../core/gate/costly-work.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import type { FileColumn } from "./columns.ts";
import { asCsv } from "./csv.ts";
import { todayOf } from "./figures.ts";
import { asWorkbook } from "./workbook.ts";

/** A page of rows, the cursor of the next, and the number of all, as counted with the first page. */
export interface RowsPage {
  readonly data: readonly object[];
  readonly pagination: { readonly next_cursor: string | null; readonly total_count?: number | undefined };
}

const MOST_OF_WORKSPACE = 20;
/** Of a file's name, before its day. */
const LONGEST_NAME = 80;

/**
 * Two pages are read at a time for all downloads, one of a workspace, and their turns rest: a page of a workbook
 * takes longer to write than to read. One that waits long for the database keeps only its workspace's turn for longer.
 */
const TOO_MANY = { tooMuch: "Too many downloads at once. Try again in a minute.", retryAfterSeconds: 60 };
const TURNS = { ofSource: 1, waitingOfSource: MOST_OF_WORKSPACE, sources: 500, ...TOO_MANY };
const inTurn = costlyWork({ ...TURNS, concurrency: 2, rests: 3, placeRestsMs: 250 });
/** Files of which each page costs the whole book delay only one another. */
const inLongTurn = costlyWork({ ...TURNS, concurrency: 1, rests: 1 });

/** Downloads under way, by workspace: one that its reader does not take holds a page and a connection. */
const underWay = new Map<string, number>();

async function counted(tenantId: string, work: () => Promise<void>) {
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

/**
 * Sends a list as a file of the kind that the address ends with, read page by page as fast as the browser takes it.
 * `X-Total-Count` is the number of rows; an error after the first page ends the connection, so that a partial file is
 * not taken for the whole. Throws the errors of the first page.
 */
export function sendFile(visit: WorkspaceVisit, file: ListFile) {
  return counted(visit.workspace.tenantId, () => send(visit, file));
}

interface ListFile {
  readonly name: string;
  /** Whose it is, which its name says too. */
  readonly of?: string;
  readonly columns: readonly FileColumn[];
  /** Each page costs the whole book. */
  readonly isLong?: boolean;
  read(cursor: string | null): Promise<RowsPage>;
}

async function send(visit: WorkspaceVisit, { name, of = "", columns, isLong, read }: ListFile) {
  const { response, request, site, requestId } = visit;
  const { tenantId, timezone } = visit.workspace;
  const readInTurn = (cursor: string | null) => (isLong ? inLongTurn : inTurn)(tenantId, () => read(cursor));
  const readNext = async (cursor: string | null) => {
    // A file may be read for hours: it ends with its session.
    if ((await site.person(request)) === null) throw new Error("the session has ended");
    return readInTurn(cursor);
  };
  const first = await readInTurn(null);
  async function* pages() {
    for (let page = first; ; page = await readNext(page.pagination.next_cursor)) {
      yield page.data;
      if (page.pagination.next_cursor === null) return;
    }
  }
  const total = first.pagination.total_count;
  if (total !== undefined) response.setHeader("X-Total-Count", String(total));
  const isCsv = request.path.endsWith(".csv");
  const named = [name, ...(of.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])].join("-").slice(0, LONGEST_NAME).toWellFormed();
  response.attachment(`${named}-${todayOf(visit)}.${isCsv ? "csv" : "xlsx"}`);
  if (isCsv) response.type("text/csv; charset=utf-8; header=present");
  if (request.method === "HEAD") return void response.end();
  const write = isCsv ? asCsv : asWorkbook;
  // More listen to it (log, limits, pipeline) than Node expects, which warns of a leak.
  response.setMaxListeners(20);
  try {
    await pipeline(Readable.from(write({ name, columns, timezone, pages: pages() })), response);
  } catch (error) {
    // The response has begun, so there is no other way to report an error.
    site.core.log.warn({ err: error, request_id: requestId }, "file.ended_early");
  }
}
