import { describe, expect, inject, it } from "vitest";
import { operate } from "../../../src/core/gate/operator.ts";
import { lockTenantFigures } from "../../../src/core/provider-access/integration-queries.ts";
import { enableWorkflow } from "../../../src/core/workflows/operations/enable-workflow.ts";
import { ConfirmationNeeded } from "../../../src/core/workflows/plan-schema.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { onOwnDatabase } from "../../support/stores.ts";
import { openOffice, withSandbox } from "./support.ts";

const INVOICES = 26;

describe.skipIf(inject("postgresUrl") === null)("enabling a workflow in a workspace with many invoices", () => {
  it("is planned without the lock that deliveries and payments take, and does what was planned", () =>
    onOwnDatabase(async (store) => {
      const core = withSandbox(testCore(store, new TestClock("2026-03-10T15:00:00.000Z")));
      const { book, tenantId, queued } = await openOffice(core);
      const customer = await book.customer({ email: "pay@globex.example.test" });
      for (let made = 0; made < INVOICES; made += 1) await book.invoice({ customer }, [{ due_date: "2026-03-12" }]);
      const enable = (confirmed: boolean) =>
        operate(core, tenantId, enableWorkflow, { type: "auto_generate", confirmed });

      await store.write(tenantId, async (tx) => {
        await lockTenantFigures(tx, tenantId);
        await expect(enable(false)).rejects.toThrow(ConfirmationNeeded);
      });
      expect((await enable(true)).plan.links).toBe(INVOICES);
      expect(await queued()).toHaveLength(INVOICES);
    }));
});
