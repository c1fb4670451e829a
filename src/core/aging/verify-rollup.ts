import { type AgingVerification, verifyAging } from "../../store/aging/verify.ts";
import type { Core } from "../gate/dependencies.ts";

/** Compares a workspace's aging roll-up with its book, and changes nothing. */
export function verifyRollup(core: Pick<Core, "store">, tenantId: string): Promise<AgingVerification> {
  return core.store.read(tenantId, (tx) => verifyAging(tx, tenantId));
}
