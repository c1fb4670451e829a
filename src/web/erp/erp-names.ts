import { erpName, providerName } from "../../core/erp-access/erp-name.ts";
import { listErpConnections } from "../../core/erp-connections/operations/list-erp-connections.ts";
import { listErp } from "../../core/erp-connections/operator-connection.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { dateTime } from "../kit/words.ts";

/** The names of a workspace's ERPs by their connections; members see no hosts and users. */
export async function erpNamesFor(visit: WorkspaceVisit): Promise<ReadonlyMap<string, string>> {
  if (visit.isAdmin) {
    const connections = await visit.call(listErp, {});
    return new Map(connections.map((connection) => [connection.id, erpName(connection)]));
  }
  const { data } = await visit.call(listErpConnections, { limit: 100 });
  return new Map(
    data.map(({ id, provider, created_at: since }) => [
      id,
      `${providerName(provider)}, connected ${dateTime(since, visit.workspace.timezone)}`,
    ]),
  );
}
