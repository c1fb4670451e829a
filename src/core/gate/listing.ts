import type { SelectQueryBuilder } from "kysely";
import { z } from "zod";
import type { KeysetColumns } from "../../store/keyset.ts";
import type { Transaction } from "../../store/store.ts";
import type { Core } from "./dependencies.ts";
import type { Face } from "./face.ts";
import { type ListInput, listPage, Pagination } from "./pagination.ts";
import type { RunContext } from "./run-context.ts";

interface ListDeclaration<
  I extends z.ZodObject & z.ZodType<ListInput>,
  W extends z.ZodType<{ id: string }>,
  DB,
  TB extends keyof DB,
  Row extends { created_at: string },
> extends Omit<Face<I, z.ZodObject<{ data: z.ZodArray<W>; pagination: typeof Pagination }>>, "output"> {
  readonly row: W;
  /** All rows of the tenant that match the filters, unordered. */
  query(tx: Transaction, tenantId: string, input: z.output<I>): SelectQueryBuilder<DB, TB, Row>;
  readonly columns: KeysetColumns;
  onWire(row: Row, core: Core): z.output<W>;
}

/** What an operation declares that lists rows and nothing else. */
export function listing<
  K extends "api_key" | "assistant" | "person",
  I extends z.ZodObject & z.ZodType<ListInput>,
  W extends z.ZodType<{ id: string }>,
  DB,
  TB extends keyof DB,
  Row extends { created_at: string },
>({ row, query, columns, onWire, ...face }: ListDeclaration<I, W, DB, TB, Row> & { readonly callers: readonly K[] }) {
  return {
    ...face,
    output: z.strictObject({ data: z.array(row), pagination: Pagination }),
    async run(context: RunContext, input: z.output<I>) {
      const { rows, pagination } = await listPage(context, {
        operation: face.id,
        input,
        query: query(context.tx, context.actor.tenantId, input),
        columns,
        idOf: (one: Row) => onWire(one, context.core).id,
      });
      return { data: rows.map((one) => onWire(one, context.core)), pagination };
    },
  };
}
