import type { PaymentGateway } from "../../gateways/payments/gateway.ts";
import type { PaymentIntegrationRow } from "../../store/tables/payments.ts";
import type { Core } from "../gate/dependencies.ts";
import { ServiceError } from "../gate/error.ts";
import { gatewayOf } from "./gateway-access.ts";

/** The gateway of an integration that new links are made with. Throws `integration_unavailable` (service.md §7). */
export function readyGatewayOf(core: Core, row: PaymentIntegrationRow): PaymentGateway {
  const gateway = row.status === "connected" ? gatewayOf(core, row) : null;
  if (gateway !== null) return gateway;
  throw new ServiceError(
    "integration_unavailable",
    "The payments integration is not ready. A workspace admin can reconnect it.",
  );
}
