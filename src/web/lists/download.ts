import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { costlyWork } from "../../core/gate/costly-work.ts";
import { businessDate, localParts } from "../../core/kernel/calendar.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { inWords } from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";

/** A page of rows, the cursor of the next, and the number of all, as counted with the first page. */
export interface RowsPage {
  readonly data: readonly object[];
  readonly pagination: { readonly next_cursor: string | null; readonly total_count?: number | undefined };
}

const MOST_OF_WORKSPACE = 20;

/** A few pages are read at a time for all downloads, one of a workspace: they delay no pages, nor each other. */
const TOO_MANY = { tooMuch: "Too many downloads at once. Try again in a minute.", retryAfterSeconds: 60 };
const TURNS = { concurrency: 3, ofSource: 1, waitingOfSource: MOST_OF_WORKSPACE, sources: 500 };
const inTurn = costlyWork({ ...TURNS, ...TOO_MANY });

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

/** The byte order mark, by which spreadsheets recognize UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/**
 * Sends a list as a file, read page by page as fast as the browser takes it. `X-Total-Count` is the number of rows; an
 * error after the first page ends the connection, so that a partial file is not taken for the whole. Throws the errors
 * of the first page.
 */
export function sendCsv(visit: WorkspaceVisit, file: CsvFile) {
  return counted(visit.workspace.tenantId, () => send(visit, file));
}

interface CsvFile {
  readonly name: string;
  readonly columns: readonly CsvColumn[];
  read(cursor: string | null): Promise<RowsPage>;
}

async function send(visit: WorkspaceVisit, { name, columns, read }: CsvFile) {
  const { response, request, site, requestId } = visit;
  const { tenantId, timezone } = visit.workspace;
  const readInTurn = (cursor: string | null) => inTurn(tenantId, () => read(cursor));
  const readNext = async (cursor: string | null) => {
    // A file may be read for hours: it ends with its session.
    if ((await site.person(request)) === null) throw new Error("the session has ended");
    return readInTurn(cursor);
  };
  const first = await readInTurn(null);
  async function* lines() {
    yield BYTE_ORDER_MARK + csvLine(columns.map((column) => headOf(column, timezone)));
    for (let page = first; ; page = await readNext(page.pagination.next_cursor)) {
      yield page.data.map((row) => csvRow(columns, row, timezone)).join("");
      if (page.pagination.next_cursor === null) return;
    }
  }
  const total = first.pagination.total_count;
  if (total !== undefined) response.setHeader("X-Total-Count", String(total));
  response.attachment(`${name}-${businessDate(site.core.clock.now(), timezone)}.csv`);
  response.type("text/csv; charset=utf-8; header=present");
  if (request.method === "HEAD") return void response.end();
  try {
    await pipeline(Readable.from(lines()), response);
  } catch (error) {
    // The response has begun, so there is no other way to report an error.
    site.core.log.warn({ err: error, request_id: requestId }, "csv.ended_early");
  }
}

/** A column of a file: its name, and the path to its value in a row; an instant is shown by the workspace's clocks. */
interface CsvColumn {
  readonly name: string;
  readonly path: readonly string[];
  readonly shows?: "instant" | "day of an instant";
}

/**
 * The columns of rows of a schema: `customer.name` becomes `customer_name`, and ids come last. Lists in a row are left
 * out, and amounts in minor units, which stand beside those that people add up.
 */
export function csvColumns(row: z.core.$ZodType): CsvColumn[] {
  const all = leavesOf(row, []).filter(({ name }) => !name.endsWith("_minor"));
  const isId = ({ name }: CsvColumn) => /(^|_)id$/.test(name);
  return [...all.filter((column) => !isId(column)), ...all.filter(isId)];
}

function leavesOf(row: z.core.$ZodType, path: readonly string[]): CsvColumn[] {
  const shape = bare(row);
  if (shape instanceof z.ZodObject)
    return Object.entries(shape.shape).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
  const isInstant = shape instanceof z.ZodISODateTime;
  const column = { name: path.join("_"), path, ...(isInstant && { shows: "instant" as const }) };
  return shape instanceof z.ZodArray ? [] : [column];
}

/** A column's name in words, with the timezone of its times. */
function headOf({ name, shows }: CsvColumn, timezone: string) {
  return shows === "instant" ? `${inWords(name)} (${timezone})` : inWords(name);
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? bare(schema.unwrap()) : schema;
}

/** A line of a file (RFC 4180), with its line break. */
export function csvLine(values: readonly unknown[]) {
  return `${values.map(csvCell).join(",")}\r\n`;
}

/** The line of a row. */
function csvRow(columns: readonly CsvColumn[], row: unknown, timezone: string) {
  const values = columns.map(({ path, shows }) => {
    const value = path.reduce(memberOf, row);
    if (shows === undefined || value === null || value === undefined) return value;
    const [day, time] = localParts(new Date(String(value)), timezone);
    return shows === "instant" ? `${day} ${time}` : day;
  });
  return csvLine(values);
}

function memberOf(value: unknown, name: string) {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** After these some spreadsheets begin another cell, quoted or not: their list separator is the computer's. */
const AFTER_SEPARATOR = /(?<=[;,\t\r\n])/;
/** How spreadsheets recognize a formula, some of them behind white space and in full width too. */
const FORMULA = /^[\s\p{C}"]*[=+\-@]/u;
/** The only one of them that an exact amount can begin with. */
const NEGATIVE = /^-\d+(\.\d+)?$/;

/** A cell: what a spreadsheet would take for a formula gets an apostrophe first, anywhere in it; amounts stay exact. */
export function csvCell(value: unknown) {
  if (value === null || value === undefined) return "";
  const text = String(value);
  const safe = NEGATIVE.test(text) ? text : withoutFormulas(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function withoutFormulas(text: string) {
  const parts = text.split(AFTER_SEPARATOR).map((part) => (FORMULA.test(part.normalize("NFKC")) ? `'${part}` : part));
  return `${/^[\t\r\n]/.test(text) ? "'" : ""}${parts.join("")}`;
}
