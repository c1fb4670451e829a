import { AsyncLocalStorage } from "node:async_hooks";
import { resolve } from "node:path";
import { afterAll } from "vitest";
import { statements } from "../../../src/signals.ts";
import { Store } from "../../../src/store/store.ts";
import { breachesOf, type Door } from "./judge.ts";

/** The door that the statements of this moment came through. */
const doors = new AsyncLocalStorage<Door>();
const OF_METHODS = {
  read: "tenant",
  write: "tenant",
  directory: "directory",
  statement: "directory",
  everyShard: "everyShard",
} as const;
const CONTROL =
  /^(begin|commit|rollback|set|declare|fetch|close|analyze|truncate|explain|vacuum|checkpoint|reset|create|drop|alter|lock)\b/i;

/** Where the service's own code is: `test/tools` and `test/auth` are not it. */
const ROOT = resolve(import.meta.dirname, "../../..");
const OURS = ["src", "auth", "tools"].map((folder) => `${ROOT}/${folder}/`);

/** Whether the store was asked by a test, or a program of its kind, and not by the service. */
function isCalledByTest(): boolean {
  const [, , , caller = ""] = new Error().stack?.split("\n") ?? [];
  return !OURS.some((folder) => decodeURI(caller).includes(folder));
}

/** What a test has an operation of its own send, to see the walls hold. */
const CARELESS = new Set(["select invoice_id from invoices"]);

/** What a restore reads of the whole store, in the transaction that loads it into an empty one. */
const OF_RESTORE = /exists \(select from tenants\) or exists|as sealed,\s+tenant_id as "tenantId"/;

/** What was found, of all test files that share this process; a statement is judged once. */
const judged: { seen: Set<string>; told: string[]; isOn: boolean } = { seen: new Set(), told: [], isOn: false };

if (!judged.isOn) {
  judged.isOn = true;
  for (const [name, door] of Object.entries(OF_METHODS)) {
    const method: unknown = Reflect.get(Store.prototype, name);
    if (typeof method !== "function") throw new Error(`the store has no ${name}`);
    Reflect.set(Store.prototype, name, function through(this: Store, ...args: unknown[]): unknown {
      if (isCalledByTest()) return doors.exit(() => Reflect.apply(method, this, args));
      return doors.run(door, () => Reflect.apply(method, this, args));
    });
  }
  statements.follow({
    store: new AsyncLocalStorage<undefined>(),
    began: () => undefined,
    ended({ sql }) {
      const door = doors.getStore();
      if (door === undefined || CARELESS.has(sql) || OF_RESTORE.test(sql) || CONTROL.test(sql.trimStart())) return;
      const key = `${door} ${sql}`;
      if (judged.seen.has(key)) return;
      judged.seen.add(key);
      for (const { rule, remedy } of breachesOf(sql, door))
        judged.told.push(`${rule}\n  of: ${sql.replace(/\s+/g, " ").trim()}\n  remedy: ${remedy}`);
    },
  });
}

afterAll(() => {
  const told = judged.told.splice(0);
  if (told.length > 0) throw new Error(`statements that no tenant routes:\n\n${told.join("\n\n")}`);
});
