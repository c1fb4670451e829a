import { sql } from "kysely";
import pg from "pg";
import { expect, inject, it } from "vitest";
import { claimWork } from "../../src/core/gate/claims.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { MAILS } from "../../src/core/mail/outgoing-queries.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { openPostgres } from "../../src/store/database.ts";
import { openOffice } from "../core/workflows/support.ts";
import { testCore } from "../support/core.ts";
import { multiply } from "../support/multiply.ts";
import { createDatabase, everyRow } from "../support/stores.ts";

const WAITING = 8;

/** Ways in which a server may be brought to plan the statement: as it comes, and joining row by row in either order. */
const PLANS = [
  "",
  "-c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off",
  "-c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off -c enable_indexscan=off -c enable_bitmapscan=off",
];

it.skipIf(inject("postgresUrl") === null).each(PLANS)(
  "a claim holds no row besides those its worker is told of, planned with %j [completions.7.lease-given-back]",
  async (options) => {
    const { databaseUrl, drop } = await createDatabase();
    const url = new URL(databaseUrl);
    if (options !== "") url.searchParams.set("options", options);
    const store = await openPostgres(url.href);
    const server = new pg.Client({ connectionString: databaseUrl });
    await server.connect();
    try {
      const core = testCore(store);
      const office = await openOffice(core);
      const { tenantId, book, assignee } = office;
      await book.invoice({ total_amount: "100" }, [{}]);
      const settings = { type: "payment_arrangement", minimumAmount: "1", assignee: assignee.email } as const;
      await operate(core, tenantId, enableWorkflow, settings);
      await office.run();
      // The server plans for the one row that it has counted.
      await server.query("vacuum analyze outgoing_mails");
      await everyRow(store, (tx) =>
        multiply(tx, "outgoing_mails", {
          which: sql`tenant_id = ${tenantId}`,
          count: WAITING,
          changes: sql`jsonb_build_object('mail_id', gen_random_uuid())`,
        }),
      );
      const claimed = await claimWork(core, MAILS, { limit: 1, leaseMs: 20_000 });
      const { rows } = await server.query("select mail_id from outgoing_mails where lease_expires_at is not null");
      expect(rows.map((row: { mail_id: string }) => row.mail_id)).toEqual(claimed.map(({ mail_id: id }) => id));
      expect(claimed).toHaveLength(1);
    } finally {
      await server.end();
      await store.close();
      await drop();
    }
  },
);
