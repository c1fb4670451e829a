import { afterAll, beforeAll } from "vitest";
import { type Book, openBook } from "./book.ts";
import { testCore } from "./core.ts";
import type { STORES, TestStore } from "./stores.ts";

/**
 * Stands for what `current` answers whenever it is used, so that what hooks make can be named before it is there. Its
 * functions, and the objects of these names, can be taken out of it by then too.
 */
export function standIn<T extends object>(current: () => T | undefined, ...objects: PropertyKey[]): T {
  const made = (): T => {
    const object = current();
    if (object === undefined) throw new Error("it is made before the tests of its suite");
    return object;
  };
  const part = (name: PropertyKey) => {
    const object = made();
    const value = Reflect.get<object, PropertyKey>(object, name, object);
    return typeof value === "function" ? value.bind(object) : value;
  };
  const early = (name: PropertyKey) =>
    objects.includes(name) ? standIn(() => part(name)) : (...given: unknown[]) => part(name)(...given);
  return new Proxy(Object.create(null), {
    get: (_target, name) => (objects.length > 0 && current() === undefined ? early(name) : part(name)),
    has: (_target, name) => Reflect.has(made(), name),
    ownKeys: () => Reflect.ownKeys(made()),
    getOwnPropertyDescriptor: (_target, name) => ({
      ...Reflect.getOwnPropertyDescriptor(made(), name),
      configurable: true,
    }),
  });
}

/** A store for the tests of the suite it is called in. */
export function useStore(open: (typeof STORES)[number]["open"], options?: Parameters<typeof open>[0]): TestStore {
  let opened: TestStore | undefined;
  beforeAll(async () => {
    opened = await open(options);
  });
  afterAll(() => opened?.remove());
  const store = standIn(() => opened?.store);
  return {
    store,
    get location() {
      return standIn(() => opened).location;
    },
    remove: () => standIn(() => opened).remove(),
  };
}

/** A core on such a store, with a workspace for all tests of the suite. */
export function useBook(open: Parameters<typeof useStore>[0]) {
  const { store } = useStore(open);
  let made: Book | undefined;
  beforeAll(async () => {
    made = await openBook(store);
  });
  return { store, core: testCore(store), book: standIn(() => made) };
}
