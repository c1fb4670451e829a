import { ServiceError } from "../kernel/error.ts";
import type { Secrets } from "../kernel/secrets.ts";
import type { RunContext } from "./run-context.ts";

/** Longest cursor a caller may send, and that is ever handed out (service.md §8). */
export const MAX_CURSOR_LENGTH = 400;

const SEAL_BYTES = 16;
const PURPOSE = "cursor";

/** What a cursor is good for: one operation of one tenant with one set of filters. */
export interface CursorScope {
  operation: string;
  tenantId: string;
  /** Everything that must stay the same from page to page; undefined members count as absent. */
  query: Readonly<Record<string, unknown>>;
}

/** Text that identifies a query; the order of its filters does not matter. */
function canonical(scope: CursorScope) {
  const filters = Object.entries(scope.query)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([scope.operation, scope.tenantId, filters]);
}

/** An opaque cursor for a place in a list. The place is readable, but cannot be altered or used for another query. */
export function sealCursor(secrets: Secrets, scope: CursorScope, place: readonly string[]) {
  const body = JSON.stringify(place);
  const seal = secrets.seal(PURPOSE, canonical(scope) + body).subarray(0, SEAL_BYTES);
  return Buffer.concat([seal, Buffer.from(body)]).toString("base64url");
}

/** Makes the cursor after each row of a page, and hands them to the route that asked. */
export function cursorsAfter<Row>(
  { core, onPage }: Pick<RunContext, "core" | "onPage">,
  scope: CursorScope,
  { rows, placeOf }: { rows: readonly Row[]; placeOf: (row: Row) => readonly string[] },
): (row: number) => string {
  const cursorAfter = (index: number) => {
    const row = rows[index];
    if (row === undefined) throw new Error(`the page has no row ${index}`);
    return sealCursor(core.secrets, scope, placeOf(row));
  };
  onPage?.({ cursorAfter });
  return cursorAfter;
}

/** The place a cursor stands for. Throws `invalid_cursor` unless it was sealed for this very query. */
export function openCursor(secrets: Secrets, scope: CursorScope, cursor: string) {
  const bytes = Buffer.from(cursor, "base64url");
  const body = bytes.subarray(SEAL_BYTES).toString("utf8");
  const genuine =
    bytes.byteLength > SEAL_BYTES &&
    bytes.toString("base64url") === cursor &&
    secrets.sealMatches(PURPOSE, canonical(scope) + body, bytes.subarray(0, SEAL_BYTES));
  if (!genuine) throw invalidCursor();
  const place: unknown = JSON.parse(body);
  if (!Array.isArray(place) || !place.every((part) => typeof part === "string")) throw invalidCursor();
  return place;
}

export function invalidCursor() {
  return new ServiceError(
    "invalid_cursor",
    "This cursor cannot be used for this query. Restart without a cursor and keep the filters identical.",
  );
}
