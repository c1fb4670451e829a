import { ERP_BOUNDS, type OwnBounds } from "../../gateways/erp/bounds.ts";
import type { PaymentGateway, PaymentProvider } from "../../gateways/payments/gateway.ts";
import type { Store } from "../../store/store.ts";
import type { Clock } from "../kernel/calendar.ts";
import type { Secrets } from "../kernel/secrets.ts";

/** The log, which only operators read: the message is an event's name, the fields its data. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The credentials and address of a payment provider's account. */
export interface ProviderAccess {
  readonly tenantId: string;
  readonly provider: PaymentProvider;
  /** Null for a provider without any. */
  readonly keys: {
    readonly secretKey: string;
    readonly webhookSecret: string;
    /** Those before it that are still good. */
    readonly earlierWebhookSecrets?: readonly string[];
  } | null;
  /** Base URL of its API; null for the provider's own. */
  readonly apiBase: string | null;
}

/**
 * Makes the gateway of a payment provider; nothing is sent yet. Null for one that is not available, such as the sandbox outside a demo.
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
  /** Origin of the pages; without it their addresses are told as paths. */
  readonly publicOrigin?: string;
  /** Whether people on the pages may connect an ERP on this machine, as in a demo. */
  readonly localErps?: boolean;
  /** Those that an operator set. */
  readonly erpBounds?: Partial<Record<keyof OwnBounds, number | undefined>>;
  /** Called within a request when its mutation changed nothing. */
  readonly onUnchanged?: () => void;
  /** Whether every answer is checked against its operation's schema, as in tests: one that does not match fails the call. */
  readonly checksOutputs?: boolean;
}

/** What rows are stamped with: the time, and ids of their own. */
export type Stamping = Pick<Core, "clock" | "newId">;

/** What an ERP can make the service read at most: an operator's bounds, or the service's own. */
export function boundsOf({ erpBounds: set = {} }: Pick<Core, "erpBounds">): OwnBounds {
  return {
    installmentsOfInvoice: set.installmentsOfInvoice ?? ERP_BOUNDS.installmentsOfInvoice,
    invoicesOfWorkspace: set.invoicesOfWorkspace ?? ERP_BOUNDS.invoicesOfWorkspace,
    hoursOfRun: set.hoursOfRun ?? ERP_BOUNDS.hoursOfRun,
  };
}

/** `core.clock` as the store keeps instants: ISO 8601 UTC with milliseconds. */
export function nowOf(core: Pick<Core, "clock">) {
  return core.clock.now().toISOString();
}
