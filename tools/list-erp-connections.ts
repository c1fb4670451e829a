import { listErpConnections } from "../src/core/erp-connections/operations/list-erp-connections.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_erp_connections",
  title: "List ERP connections",
  description:
    "How fresh the figures are: as of `last_successful_sync_at`. A later `last_sync_at` on a connection that is not `connected` means pulls are failing.",
  operation: listErpConnections,
});
