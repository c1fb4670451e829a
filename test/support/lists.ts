import { z } from "zod";
import type { Actor, AnyActor, Core, Operation } from "../../src/core/gate/operation.ts";

/** Calls an operation as a caller would, under the one request id `req_test`. */
export function call<O extends z.ZodType, A extends AnyActor = Actor>(
  core: Core,
  operation: Operation<z.ZodType, O, A>,
  actor: A,
  input: object = {},
): Promise<z.output<O>> {
  return operation.call(actor, input, { core, requestId: "req_test" });
}

const Page = z.looseObject({
  data: z.array(z.looseObject({ id: z.string() })),
  pagination: z.strictObject({
    next_cursor: z.string().nullable(),
    has_more: z.boolean(),
    limit: z.int(),
    as_of: z.iso.datetime(),
    total_count: z.int().optional(),
  }),
});

/** One page of any list, its rows by their ids. */
export async function pageOf(core: Core, operation: Operation, actor: Actor, input: object = {}) {
  return Page.parse(await call(core, operation, actor, input));
}

/** The ids of a whole list in the order they come, walked with page sizes taken in turn, and what each page said. */
export async function walk(
  core: Core,
  operation: Operation,
  actor: Actor,
  filters: object = {},
  limits: readonly number[] = [100],
): Promise<{ ids: string[]; pages: z.infer<typeof Page>["pagination"][] }> {
  const ids: string[] = [];
  const pages: z.infer<typeof Page>["pagination"][] = [];
  let cursor: string | null = null;
  do {
    const limit = limits[pages.length % limits.length] ?? 100;
    const input: object = { ...filters, limit, ...(cursor === null ? {} : { cursor }) };
    const { data, pagination } = await pageOf(core, operation, actor, input);
    ids.push(...data.map((row) => row.id));
    pages.push(pagination);
    cursor = pagination.next_cursor;
    if (pages.length > 1000) throw new Error("the list does not end");
  } while (cursor !== null);
  return { ids, pages };
}

/** The error a call ends in, as the caller is sent it. */
export async function refusal(calling: Promise<unknown>): Promise<unknown> {
  return calling.then(
    (answer) => {
      throw new Error(`not refused: ${JSON.stringify(answer)}`);
    },
    (error: unknown) => {
      if (error instanceof Error && "toWire" in error && typeof error.toWire === "function")
        return error.toWire("req_test");
      throw error;
    },
  );
}
