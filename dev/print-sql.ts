/** `NODE_OPTIONS="--import ./dev/print-sql.ts" npm start` writes each statement and its milliseconds to stderr. */
import { subscribe } from "node:diagnostics_channel";
import { z } from "zod";

const Statement = z.object({ sql: z.string(), milliseconds: z.number() });

subscribe("tracing:receivables.store.statement:asyncEnd", (message) => {
  const { sql, milliseconds } = Statement.parse(message);
  process.stderr.write(`${milliseconds.toFixed(1)} ms  ${sql.replace(/\s+/g, " ")}\n`);
});
