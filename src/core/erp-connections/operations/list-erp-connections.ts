import { z } from "zod";
import type { Transaction } from "../../../store/store.ts";
import { connectionOnWire, isListed, visibleConnections } from "../../erp-access/connection-queries.ts";
import { ErpConnection } from "../../erp-access/schema.ts";
import { RECEIVABLES_READ } from "../../gate/actor.ts";
import { LIST_PARAMETERS } from "../../gate/list-parameters.ts";
import { listing } from "../../gate/listing.ts";
import { operation, PAGES_READ } from "../../gate/operation.ts";
import { orNotFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";

/** service.md §4.5. */
export const listErpConnections = operation(
  listing({
    id: "listErpConnections",
    tag: "ERP connections",
    summary: "List ERP connections",
    description:
      "Outside `connected`, runs may still happen and fail. Judge how fresh figures are by the connection's `last_successful_sync_at`.",
    ...RECEIVABLES_READ,
    input: z.strictObject(LIST_PARAMETERS),
    row: ErpConnection,
    query: visibleConnections,
    columns: { createdAt: "created_at", id: "connection_id" },
    onWire: connectionOnWire,
  }),
);

/** The same for pages, oldest first: all that are not disconnected, and the latest of the others. */
export const listCurrentErps = operation({
  id: "listCurrentErps",
  summary: "List the ERP connections that pages show",
  ...PAGES_READ,
  input: z.strictObject({}),
  output: z.array(ErpConnection.extend({ sync_enabled: z.boolean() })),
  async run({ actor: { tenantId }, tx }) {
    const found = visibleConnections(tx, tenantId)
      .select("sync_enabled")
      .where(isListed(tenantId))
      .orderBy("created_at");
    return (await found.execute()).map(({ sync_enabled, ...row }) => ({ ...connectionOnWire(row), sync_enabled }));
  },
});

/** One ERP connection (completions §13). Throws `not_found`. */
export const getErpConnection = operation({
  id: "getErpConnection",
  tag: "ERP connections",
  summary: "Read an ERP connection",
  description: "Its figures are as fresh as `last_successful_sync_at`, in every status.",
  ...RECEIVABLES_READ,
  input: z.strictObject({ connection_id: Uuid.describe("ERP connection id") }),
  output: ErpConnection,
  run: ({ actor, tx }, { connection_id: id }) => readConnection(tx, actor.tenantId, id),
});

/** A connection as callers see it. Throws `not_found`. */
export async function readConnection(tx: Transaction, tenantId: string, connectionId: string) {
  const found = visibleConnections(tx, tenantId).where("connection_id", "=", connectionId);
  const connection = orNotFound(await found.executeTakeFirst(), "ERP connection");
  return connectionOnWire(connection);
}
