import type { Reach } from "../outgoing.ts";
import type { ErpGateway } from "./gateway.ts";
import { oracleFusion } from "./oracle-fusion/index.ts";

/** The ERPs with a connector; the names of service.md §2.2 `provider`. */
export const erpProviders = ["oracle_fusion"] as const;

/** One of {@link erpProviders}. */
export type ErpProvider = (typeof erpProviders)[number];

/** An ERP's address and the service's user there. */
export interface ErpSettings {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  /** What the address may lead to; only the internet for one that a person on the pages entered. */
  readonly reach: Reach;
  /** As an operator set it, in place of the one in bounds.ts. */
  readonly installmentsOfInvoice?: number;
}

const connectors: Readonly<Record<ErpProvider, (settings: ErpSettings) => ErpGateway>> = {
  oracle_fusion: oracleFusion,
};

/** The connector of a provider. Nothing is sent yet; throws an ErpError when the address itself cannot be used. */
export function erpGateway(provider: ErpProvider, settings: ErpSettings) {
  return connectors[provider](settings);
}
