import { countCell, overdueCell, shownAmount } from "./figures.ts";
import type { Column } from "./table.ts";

type Amounts<Name extends string> = { readonly currency?: string | null } & { readonly [Key in Name]: string | null };

/** A column of exact amounts: each row's of that name, in its currency or that of all rows. */
export function amountColumn<Name extends string>(
  head: string,
  name: Name,
  currency: string | null = null,
): Column<Amounts<Name>, unknown> {
  return { head, kind: "number", cell: (row) => shownAmount(row[name], row.currency ?? currency) };
}

/** The same for amounts that are overdue. */
export function overdueColumn<Name extends string>(
  head: string,
  name: Name,
): Column<{ readonly currency: string | null } & { readonly [Key in Name]: string }, unknown> {
  return { head, kind: "number", cell: (row) => overdueCell(row[name], row.currency) };
}

/** A column of counts. */
export function countColumn<Name extends string>(
  head: string,
  name: Name,
): Column<{ readonly [Key in Name]: number }, unknown> {
  return { head, kind: "number", cell: (row) => countCell(row[name]) };
}
