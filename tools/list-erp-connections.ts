import { listErpConnections } from "../src/core/erp-connections/operations/list-erp-connections.ts";
import { tool } from "./tool.ts";

export default tool({
  name: "list_erp_connections",
  title: "List ERP connections",
  description:
    "ERP connections and their health. " +
    "Figures are as fresh as `last_successful_sync_at`; a later `last_sync_at` on a connection that is not `connected` means pulls are failing.",
  operation: listErpConnections,
});
