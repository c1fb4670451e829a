import { z } from "zod";
import { RECEIVABLES_READ } from "../../gate/actor.ts";
import { ERP_CONNECTION, examplePage } from "../../gate/example-book.ts";
import { listOperation } from "../../shared/list-operation.ts";
import { LIST_PARAMETERS } from "../../shared/list-parameters.ts";
import { visibleConnections } from "../connection-queries.ts";
import { ErpConnection } from "../schema.ts";

/** service.md §4.5. */
export const listErpConnections = listOperation({
  id: "listErpConnections",
  tag: "ERP connections",
  summary: "List ERP connections",
  description:
    "Outside `connected`, runs may still happen and fail. Judge how fresh figures are by the connection's `last_successful_sync_at`.",
  example: { answer: examplePage(ERP_CONNECTION) },
  ...RECEIVABLES_READ,
  input: z.strictObject(LIST_PARAMETERS),
  row: ErpConnection,
  query: visibleConnections,
  columns: { createdAt: "created_at", id: "connection_id" },
  onWire: ({ connection_id, ...shown }) => ({ id: connection_id, ...shown }),
});
