import { z } from "zod";
import { READERS } from "../../gate/actor.ts";
import { ERP_CONNECTION, examplePage } from "../../gate/example-book.ts";
import { operation } from "../../gate/operation.ts";
import { LIST_PARAMETERS } from "../../shared/list-parameters.ts";
import { listPage, Pagination } from "../../shared/pagination.ts";
import { visibleConnections } from "../connection-queries.ts";
import { ErpConnection } from "../schema.ts";

const id = "listErpConnections";

/** service.md §4.5. */
export const listErpConnections = operation({
  id,
  tag: "ERP connections",
  summary: "List ERP connections",
  description:
    "Outside `connected`, runs may still happen and fail. Judge how fresh figures are by the connection's `last_successful_sync_at`.",
  example: { answer: examplePage(ERP_CONNECTION) },
  callers: READERS,
  permission: "readonly",
  scope: "receivables:read",
  sideEffects: "None.",
  input: z.strictObject(LIST_PARAMETERS),
  output: z.strictObject({ data: z.array(ErpConnection), pagination: Pagination }),
  async run(context, input) {
    const { rows, pagination } = await listPage(context, {
      operation: id,
      input,
      query: (db, value) => visibleConnections(db, value("tenantId")),
      columns: { createdAt: "created_at", id: "connection_id" },
      idOf: (row) => row.connection_id,
    });
    return { data: rows.map(({ connection_id, ...shown }) => ({ id: connection_id, ...shown })), pagination };
  },
});
