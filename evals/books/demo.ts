import { readDemo } from "../../test/support/server.ts";
import { type Book, openService, type Workspace } from "./book.ts";
import { openPlace, PLACES, type PlaceName } from "./place.ts";
import { plantHostileInvoices } from "./planted.ts";

/** Has everything peculiar. */
const MAIN = "Odd Cases";
const HELD = "Alpenglow Foods";

/** The demo's books, made in a place of their own; null, and said, where that cannot be. */
export async function openNewDemo(store: PlaceName = "embedded"): Promise<Book | null> {
  const place = await openPlace(store);
  if (place === null) return null;
  try {
    const { environment, dataDir, clear } = place;
    const book = await openDemo(dataDir, clear, { ...environment, DEMO: "on" });
    await place.settle(book.store);
    return { ...book, name: `demo on ${PLACES[store]}` };
  } catch (error) {
    await place.clear();
    throw error;
  }
}

/** The demo in a data folder; `remove` is called last of all. */
export async function openDemo(
  dataDir: string,
  remove: () => void | Promise<void>,
  environment: Readonly<Record<string, string>>,
): Promise<Book> {
  const { core, url, close } = await openService({ DATA_DIR: dataDir, ...environment });
  await plantHostileInvoices(core, MAIN);
  return {
    name: "demo",
    url,
    store: core.store,
    main: workspaceOf(dataDir, MAIN),
    held: workspaceOf(dataDir, HELD),
    async close() {
      await close();
      await remove();
    },
  };
}

function workspaceOf(dataDir: string, name: string): Workspace {
  const { people } = readDemo(dataDir);
  const login = (role: string) => {
    const found = people.find((person) => person.workspace === name && person.role === role && !isInBoth(person.email));
    if (found === undefined) throw new Error(`the demo has no ${role} in ${name}`);
    return { email: found.email, password: found.password };
  };
  const isInBoth = (email: string): boolean => people.filter((person) => person.email === email).length > 1;
  return { name, admin: login("admin"), member: login("member") };
}
