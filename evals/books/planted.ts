import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { createLocalInvoice } from "../../src/core/invoices/operations/create-local-invoice.ts";
import { addDays, businessDate } from "../../src/core/kernel/calendar.ts";
import { findWorkspace } from "../../src/core/workspace/workspaces.ts";
import { PLANTED } from "../questions/planted.ts";

/** Makes the invoices of {@link PLANTED} in a workspace, due around its today. */
export async function plantHostileInvoices(core: Core, workspace: string): Promise<void> {
  const { id, timezone } = await findWorkspace({ core }, workspace);
  const today = businessDate(core.clock.now(), timezone);
  for (const { dueInDays, ...invoice } of Object.values(PLANTED))
    await operate(core, id, createLocalInvoice, { ...invoice, dueDate: addDays(today, dueInDays) });
}
