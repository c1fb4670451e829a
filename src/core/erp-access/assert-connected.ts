import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { ServiceError } from "../kernel/error.ts";

/** Throws `connection_disconnected` where a connection was switched off (service.md §3.1); null is an invoice of no ERP. */
export function assertNotDisconnected(status: ErpConnectionRow["status"] | null) {
  if (status === "disconnected") throw disconnected();
}

type Connection = Pick<ErpConnectionRow, "status" | "credential">;

/** The same where the ERP is to be called: also throws where no credential is held. */
export function assertConnected<C extends Connection>(connection: C): asserts connection is C & { credential: string } {
  assertNotDisconnected(connection.status);
  if (connection.credential === null) throw disconnected();
}

function disconnected() {
  return new ServiceError("connection_disconnected", "The ERP connection is disconnected and holds no credential.", {
    onPage: "The ERP is disconnected, so it cannot be asked. Reconnect it first.",
  });
}
