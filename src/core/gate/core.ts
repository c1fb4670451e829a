import type { PaymentGateway, PaymentProvider } from "../../gateways/payments/gateway.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../shared/calendar.ts";
import type { Secrets } from "../shared/secrets.ts";

/** Where the core writes what only operators read. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What a payment provider is reached with. */
export interface ProviderAccess {
  readonly tenantId: string;
  readonly provider: PaymentProvider;
  /** Null for a provider without any. */
  readonly keys: { readonly secretKey: string; readonly webhookSecret: string } | null;
  /** Where its API is reached, when not at its own address. */
  readonly apiBase: string | null;
}

/**
 * A way to a payment provider; nothing is sent yet. Null where the service has none, such as the sandbox outside a demo.
 * Throws a PaymentProviderError for access that cannot be used.
 */
export type PaymentProviders = (access: ProviderAccess) => PaymentGateway | null;

/** Everything an operation works with besides its caller and input; built once in src/composition.ts. */
export interface Core {
  readonly store: Store;
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
  readonly secrets: Secrets;
  readonly log: Log;
  /** Without it no link can be made, withdrawn or paid. */
  readonly payments?: PaymentProviders;
  /** Whether people on the pages may name an ERP on this very machine, as in a demo. */
  readonly localErps?: boolean;
  /** Told, within a request, that its mutation changed nothing. */
  readonly onUnchanged?: () => void;
  /** Whether every answer is held against its operation's schema, as in tests: one that does not fit fails the call. */
  readonly checksOutputs?: boolean;
}

/** `core.clock` as the store keeps instants: ISO 8601 UTC with milliseconds. */
export function nowOf(core: Pick<Core, "clock">): string {
  return core.clock.now().toISOString();
}
