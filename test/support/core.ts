import { randomUUID } from "node:crypto";
import type { Core } from "../../src/core/gate/dependencies.ts";
import type { Clock } from "../../src/core/kernel/calendar.ts";
import { Secrets } from "../../src/core/kernel/secrets.ts";
import type { Store } from "../../src/store/store.ts";

export { everyRow } from "./every-row.ts";

/** A clock that stands still until it is moved. */
export class TestClock implements Clock {
  #now: number;

  constructor(instant = "2026-03-10T15:00:00.000Z") {
    this.#now = Date.parse(instant);
  }

  now(): Date {
    return new Date(this.#now);
  }

  set(instant: string): void {
    this.#now = Date.parse(instant);
  }

  /** Moves on by so many milliseconds. */
  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** A core on a test's store, with a clock that stands still. It holds every answer against its schema. */
export function testCore(store: Store, clock: Clock = new TestClock()): Core {
  const silent = (): void => undefined;
  return {
    store,
    clock,
    newId: randomUUID,
    secrets: new Secrets(Buffer.alloc(32, 7)),
    log: { info: silent, warn: silent, error: silent },
    checksOutputs: true,
  };
}
