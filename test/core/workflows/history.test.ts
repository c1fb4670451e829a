import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { operate } from "../../../src/core/gate/operator.ts";
import { enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import type { ExecutionFilters } from "../../../src/core/workflows/schema.ts";
import { matchingExecutions } from "../../../src/core/workflows/settings-queries.ts";
import { rowsAfter } from "../../../src/store/keyset.ts";
import { insertRows, invoiceRow } from "../../support/book.ts";
import { testCore } from "../../support/core.ts";
import { makeTenant } from "../../support/pulls.ts";
import { blocksOf } from "../../support/reads.ts";
import { storesOf } from "../../support/stores.ts";
import { useStore } from "../../support/use-store.ts";

describe.each(storesOf(import.meta.url))("a long history of workflows on $name", ({ name, open }) => {
  const past = name === "PostgreSQL" ? 50_000 : 5_000;
  const { store } = useStore(open, { isNew: true });

  /** A workspace whose workflow did something with an invoice so many times, and failed with it once. */
  async function makeWorkspace(times: number): Promise<{ tenantId: string; workflowId: string }> {
    const core = testCore(store);
    const tenantId = await makeTenant(core);
    const { id: workflowId } = await operate(core, tenantId, enableWorkflow, {
      type: "auto_generate",
      confirmed: true,
    });
    const invoice = invoiceRow(tenantId);
    await store.write(tenantId, async (tx) => {
      await insertRows(tx, { invoices: [invoice] });
      await sql`insert into workflow_executions
        select ${tenantId}::uuid, gen_random_uuid(), ${workflowId}::uuid, ${invoice.invoice_id}::uuid,
          case when number = 0 then 'failed' else 'succeeded' end, 'none', null, at, at
        from generate_series(0, ${times}::int) as number,
          lateral (select '2025-01-01'::timestamptz + number * interval '10 minutes' as at) as instant on conflict do nothing`.execute(
        tx,
      );
    });
    return { tenantId, workflowId };
  }

  it("costs the same to look up as a short one [facts.scale.past-executions]", async () => {
    const [few, many] = [await makeWorkspace(0), await makeWorkspace(past)];
    const page = { order: "desc", limit: 101, position: null } as const;
    const columns = { createdAt: "workflow_executions.started_at", id: "workflow_executions.workflow_execution_id" };
    const cost = ({ tenantId }: typeof few, filters: ExecutionFilters) =>
      blocksOf(testCore(store), (on) =>
        on.store.read(tenantId, (tx) => rowsAfter(matchingExecutions(tx, tenantId, filters), columns, page).execute()),
      );
    const other = crypto.randomUUID();
    for (const filters of [
      { status: "failed" },
      { workflow_id: other },
      { workflow_id: other, status: "failed" },
    ] as const) {
      await cost(many, filters);
      const [of, ofFew] = [await cost(many, filters), await cost(few, filters)];
      expect(of, `buffers of ${JSON.stringify(filters)}, ${ofFew} of a short one`).toBeLessThanOrEqual(2 * ofFew + 10);
    }
  });
});
