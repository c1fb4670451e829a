import type { Reach } from "../outgoing.ts";
import type { ErpGateway } from "./gateway.ts";
import { oracleFusion } from "./oracle-fusion/index.ts";

/** The ERPs there is a connector for; the names of service.md §2.2 `provider`. */
export const erpProviders = ["oracle_fusion"] as const;

/** One of {@link erpProviders}. */
export type ErpProvider = (typeof erpProviders)[number];

/** Where an ERP is and who the service is there. */
export interface ErpSettings {
  readonly baseUrl: string;
  readonly username: string;
  readonly password: string;
  /** What the address may lead to: what a person entered leads to the internet alone. */
  readonly reach: Reach;
}

const connectors: Readonly<Record<ErpProvider, (settings: ErpSettings) => ErpGateway>> = {
  oracle_fusion: oracleFusion,
};

/** The connector of a provider. Nothing is sent yet; throws an ErpError when the address itself cannot be used. */
export function erpGateway(provider: ErpProvider, settings: ErpSettings): ErpGateway {
  return connectors[provider](settings);
}
