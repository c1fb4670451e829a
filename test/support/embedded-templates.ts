/**
 * Makes what embedded stores of tests are copied from, in a process that says when the first is there:
 * `node embedded-templates.ts TEMPLATE DEMO`, a migrated store and one on which the demo was started once.
 */
import { cpSync } from "node:fs";
import { openEmbedded } from "../../src/store/database.ts";
import { startDemo } from "../demo/support.ts";

const [, , template = "", demo = ""] = process.argv;
await (await openEmbedded(template)).close();
cpSync(template, demo, { recursive: true });
process.stdout.write("migrated\n");

const store = await openEmbedded(demo);
const { erp } = await startDemo(store, demo);
await erp.close();
await store.close();
