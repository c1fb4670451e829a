/**
 * Makes what embedded stores of tests are copied from: `node embedded-templates.ts TEMPLATE DEMO WANTED`, a migrated store,
 * which it says on its output, and one on which the demo was started once, as soon as there is the file WANTED.
 */
import { cpSync, existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openEmbedded } from "../../src/store/database.ts";
import { startDemo } from "../demo/support.ts";

const [, , template = "", demo = "", wanted = ""] = process.argv;
await (await openEmbedded(template)).close();
cpSync(template, demo, { recursive: true });
process.stdout.write("migrated\n");
while (!existsSync(wanted)) await sleep(50);

const store = await openEmbedded(demo);
const { erp } = await startDemo(store, demo);
await erp.close();
await store.close();
