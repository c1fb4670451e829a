/** `node dev/query-embedded.ts data "select …"`: asks a copy of an embedded store, whose server may be running. */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";

const [dataDir = "data", sql = "select name from kysely_migration order by name"] = process.argv.slice(2);
const copy = mkdtempSync(join(tmpdir(), "receivables-query-"));
try {
  cpSync(join(dataDir, "store"), copy, { recursive: true });
  const database = await PGlite.create(copy);
  const { rows } = await database.query(sql);
  for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
  await database.close();
} finally {
  rmSync(copy, { recursive: true, force: true });
}
