import type { ApiKeyActor } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";

interface Page<T> {
  data: T[];
  pagination: { next_cursor: string | null };
}

/** A list operation, as far as it takes to read all of it. */
interface Listing<T> {
  call(actor: ApiKeyActor, input: object, request: { core: Core; requestId: string }): Promise<Page<T>>;
}

/** Reads a list to its end; every page passes the operation's own output schema. */
export async function everything<T>(core: Core, actor: ApiKeyActor, listing: Listing<T>): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const input = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page: Page<T> = await listing.call(actor, input, { core, requestId: "test" });
    rows.push(...page.data);
    cursor = page.pagination.next_cursor;
  }
  return rows;
}

/** How the rows of a list spread over the values of a field. */
export function valuesOf<T>(rows: readonly T[], field: (row: T) => unknown): Set<unknown> {
  return new Set(rows.map(field));
}
