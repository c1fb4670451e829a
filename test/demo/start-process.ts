import { openEmbedded, openPostgres } from "../../src/store/database.ts";
import { startDemo } from "./support.ts";

/** A first start of the demo in a process that can be killed: `node start-process.ts DATA_DIR [DATABASE_URL]`. */
const [, , dataDir = "", databaseUrl] = process.argv;
const store = await (databaseUrl === undefined ? openEmbedded(dataDir) : openPostgres(databaseUrl));
const { erp } = await startDemo(store, dataDir);
await erp.close();
await store.close();
