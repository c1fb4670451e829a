import type { Store } from "../../src/store/store.ts";
import type { Transaction } from "../../src/store/tables/index.ts";

/** Once somebody has read a row that has `column`, `act` comes before whatever they do with it. */
export function meanwhile(store: Store, column: string, act: () => Promise<unknown>): void {
  const system = store.directory.bind(store);
  Object.assign(store, {
    async directory<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      const read = await system(work);
      if (typeof read !== "object" || read === null || !(column in read)) return read;
      Reflect.deleteProperty(store, "directory");
      await act();
      return read;
    },
  });
}
