import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDemo } from "../../test/support/server.ts";
import { type Book, openService, type Workspace } from "./book.ts";
import { plantHostileInvoices } from "./planted.ts";

const MAIN = "Northwind Trading";
const HELD = "Alpenglow Foods";

/** The demo's books, made in a folder of their own. */
export async function openNewDemo(): Promise<Book> {
  const dataDir = mkdtempSync(join(tmpdir(), "receivables-questions-"));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  try {
    return await openDemo(dataDir, remove, { DEMO: "on" });
  } catch (error) {
    remove();
    throw error;
  }
}

/** The demo in a data folder; `remove` is called last of all. */
export async function openDemo(
  dataDir: string,
  remove: () => void,
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
      remove();
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
