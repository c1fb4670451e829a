import { openEmbedded } from "../../src/store/database.ts";
import { startDemo } from "./support.ts";

/** A first start of the demo in a process that can be killed: `node start-process.ts DATA_DIR`. */
const dataDir = process.argv[2] ?? "";
const store = await openEmbedded(dataDir);
const { erp } = await startDemo(store, dataDir);
await erp.close();
await store.close();
