import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { operate } from "../../../src/core/gate/operator.ts";
import { enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import { listWorkflowExecutions, listWorkflows } from "../../../src/core/workflows/operations/list-workflows.ts";
import type { ExecutionFilters } from "../../../src/core/workflows/schema.ts";
import { matchingExecutions } from "../../../src/core/workflows/settings-queries.ts";
import { rowsAfter } from "../../../src/store/keyset.ts";
import type { WorkflowExecutionRow, WorkflowRow } from "../../../src/store/tables/workflows.ts";
import { insertRows, invoiceRow } from "../../support/book.ts";
import { testCore } from "../../support/core.ts";
import { executionRow, workflowRow } from "../../support/furnish.ts";
import { call, walk } from "../../support/lists.ts";
import { makeTenant } from "../../support/pulls.ts";
import { blocksOf } from "../../support/reads.ts";
import { storesOf } from "../../support/stores.ts";
import { useBook, useStore } from "../../support/use-store.ts";

const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const at = (digit: number): string => `2026-03-0${digit}T09:00:00.000Z`;

describe.each(storesOf(import.meta.url))("workflows and their history on $name", ({ open }) => {
  const { book, core, store } = useBook(open);
  let [first, second] = ["", ""];

  beforeAll(async () => {
    first = (await book.invoice()).invoice.invoice_id;
    second = (await book.invoice()).invoice.invoice_id;
    const { tenantId } = book;
    const workflow = (number: number, row: Partial<WorkflowRow>) =>
      workflowRow(tenantId, { workflow_id: id(number), created_at: at(number), updated_at: at(number), ...row });
    const execution = (number: number, row: Partial<WorkflowExecutionRow>) => ({
      ...executionRow({ tenant_id: tenantId, workflow_id: id(1) }, first, { workflow_execution_id: id(number) }),
      ...{ started_at: at(number), finished_at: at(number), ...row },
    });
    await store.write(tenantId, async (tx) => {
      const arrangement = { type: "payment_arrangement", name: "Payment Arrangement", enabled: false } as const;
      await tx
        .insertInto("workflows")
        .values([workflow(1, {}), workflow(2, { ...arrangement, send_at: null, minimum_amount: "10" })])
        .execute();
      const executions = [
        execution(3, {}),
        execution(4, {
          invoice_id: second,
          status: "failed",
          outcome: "none",
          reason: { code: "links_refused", refused: 2, of: 3, errors: ["No provider.", "Too little."] },
          finished_at: at(5),
        }),
        execution(5, { workflow_id: id(2), outcome: "task_opened" }),
        execution(6, { status: "skipped", outcome: "none", reason: { code: "task_not_dismissed" } }),
      ];
      await tx.insertInto("workflow_executions").values(executions).execute();
    });
  });

  it("answers a workflow's fields, and none of its settings [completions.4.workflow]", async () => {
    const { data } = await call(core, listWorkflows, book.reader, { order: "asc" });
    expect(data).toEqual([
      { id: id(1), type: "auto_generate", name: "Auto Generate", enabled: true, created_at: at(1), updated_at: at(1) },
      {
        id: id(2),
        type: "payment_arrangement",
        name: "Payment Arrangement",
        enabled: false,
        created_at: at(2),
        updated_at: at(2),
      },
    ]);
  });

  it("answers an execution's fields [completions.4.workflow-execution]", async () => {
    const { data } = await call(core, listWorkflowExecutions, book.reader, { status: "failed" });
    expect(data).toEqual([
      {
        id: id(4),
        workflow_id: id(1),
        workflow_type: "auto_generate",
        invoice_id: second,
        status: "failed",
        outcome: "none",
        reason: "2 of 3 links could not be made: No provider. Too little.",
        started_at: at(4),
        finished_at: at(5),
      },
    ]);
  });

  it.each<[filter: object, numbers: number[]]>([
    [{}, [2, 1]],
    [{ enabled: true }, [1]],
    [{ enabled: false }, [2]],
    [{ type: "payment_arrangement" }, [2]],
    [{ type: "payment_arrangement", enabled: true }, []],
  ])("filters workflows by %j, newest first [completions.5.workflow-filters]", async (filter, numbers) => {
    const { ids, pages } = await walk(core, listWorkflows, book.reader, { ...filter, include_total: true }, [1, 2]);
    expect(ids).toEqual(numbers.map(id));
    expect(new Set(pages.map((page) => page.total_count))).toEqual(new Set([numbers.length]));
  });

  it.each<[filter: () => object, numbers: number[]]>([
    [() => ({}), [6, 5, 4, 3]],
    [() => ({ workflow_id: id(1) }), [6, 4, 3]],
    [() => ({ workflow_id: id(9) }), []],
    [() => ({ invoice_id: second }), [4]],
    [() => ({ invoice_id: first, status: "succeeded" }), [5, 3]],
    [() => ({ status: "skipped" }), [6]],
  ])("filters executions by %s, newest first [completions.5.workflow-filters]", async (filter, numbers) => {
    const filters = { ...filter(), include_total: true };
    const { ids, pages } = await walk(core, listWorkflowExecutions, book.reader, filters, [1, 3]);
    expect(ids).toEqual(numbers.map(id));
    expect(new Set(pages.map((page) => page.total_count))).toEqual(new Set([numbers.length]));
    const forward = await walk(core, listWorkflowExecutions, book.reader, { ...filter(), order: "asc" }, [2]);
    expect(forward.ids).toEqual(ids.toReversed());
  });
});

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
