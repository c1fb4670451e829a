import { ServiceError } from "../../src/core/kernel/error.ts";
import type { Random } from "../../src/simulators/fusion/random.ts";
import type { LanesWorld } from "./collecting-lanes-world.ts";

/** One of a list; undefined of none, of which none has a place. */
export const oneOf = <T>(draws: Random, list: readonly T[]): T | undefined => list[draws.between(0, list.length - 1)];

export type Act = (world: LanesWorld, draws: Random) => Promise<unknown>;

/** What the service refuses is as good as what it does; anything else is a failure. */
export async function refusable(call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** Does what takes turns without waiting for one. */
export const atOnce = <T>(work: () => Promise<T>): Promise<T> => work();
export const atOnceFor = <T>(_: string, work: () => Promise<T>): Promise<T> => work();
