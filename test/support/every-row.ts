import type { Store, Transaction } from "../../src/store/store.ts";

/** Looks at, or changes, rows of any tenant and of the directory, as only a test may. */
export function everyRow<T>(store: Store, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return store.directory(work);
}
