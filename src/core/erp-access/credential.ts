import type { ErpConnectionRow } from "../../store/tables/erp.ts";
import { boundsOf, type Core } from "../gate/dependencies.ts";

/** A connection's password, encrypted; it decrypts as the credential of this connection only. */
export function encryptPassword({ secrets }: Pick<Core, "secrets">, connectionId: string, password: string) {
  return secrets.encrypt(password, placeOf(connectionId));
}

type Access = Pick<ErpConnectionRow, "connection_id" | "base_url" | "address_reach" | "username">;

/** How a connection's ERP is called, with the password in the clear. */
export function erpSettings(
  core: Pick<Core, "secrets" | "erpBounds">,
  { connection_id: id, base_url: baseUrl, address_reach: reach, username, credential }: Access & { credential: string },
) {
  const password = core.secrets.decrypt(credential, placeOf(id));
  return { baseUrl, username, password, reach, installmentsOfInvoice: boundsOf(core).installmentsOfInvoice };
}

const placeOf = (connectionId: string) => `erp_connections/${connectionId}`;
