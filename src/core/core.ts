import type { Store } from "../store/store.ts";
import type { Clock } from "./calendar.ts";
import type { Secrets } from "./secrets.ts";

/** Where the core writes what only operators read. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Everything an operation works with besides its caller and input; built once in src/service.ts. */
export interface Core {
  readonly store: Store;
  readonly clock: Clock;
  /** A new UUID. */
  readonly newId: () => string;
  readonly secrets: Secrets;
  readonly log: Log;
}

/** `core.clock` as the store keeps instants: ISO 8601 UTC with milliseconds. */
export function nowOf(core: Pick<Core, "clock">): string {
  return core.clock.now().toISOString();
}
