import { type RawBuilder, sql } from "kysely";
import { anyOf } from "./recordset.ts";
import type { Transaction } from "./tables/index.ts";

/** Instants that a transaction wrote where callers poll by them: the ids of the rows, by instant. */
export interface Stamps {
  readonly invoices: Map<string, string[]>;
  readonly payments: Map<string, string[]>;
}

/** Adds rows to those that got an instant. */
export function addStamped(stamped: Map<string, string[]>, at: string, ids: readonly string[]) {
  if (ids.length === 0) return;
  const others = stamped.get(at);
  if (others === undefined) stamped.set(at, [...ids]);
  else for (const id of ids) others.push(id);
}

/** The newest of a transaction's instants; undefined where it wrote none. */
export function newestOf({ invoices, payments }: Stamps) {
  return [...invoices.keys(), ...payments.keys()].sort().at(-1);
}

/** Moves a transaction's instants up to the latest committed one, beyond which a caller that polls may be already. */
export async function moveUp(tx: Transaction, tenantId: string, stamps: Stamps, latest: string): Promise<void> {
  const invoices = behind(stamps.invoices, latest);
  if (invoices !== null)
    await sql`update invoices set updated_at = ${latest}
      where tenant_id = ${tenantId} and invoice_id = ${invoices} and updated_at < ${latest}`.execute(tx);
  const payments = behind(stamps.payments, latest);
  if (payments !== null)
    await sql`update payments set confirmed_at = ${latest}
      where tenant_id = ${tenantId} and payment_id = ${payments} and confirmed_at < ${latest}`.execute(tx);
}

/** The rows to move up; null without any. Instants of the service have one format, and compare as text. */
function behind(stamped: Map<string, string[]>, latest: string): RawBuilder<string> | null {
  const ids = [...stamped].filter(([at]) => at < latest).flatMap(([, some]) => some);
  return ids.length === 0 ? null : anyOf(ids, "uuid");
}
