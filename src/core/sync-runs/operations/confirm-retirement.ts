import { z } from "zod";
import { lockConnection } from "../../erp-access/connection-queries.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { orNotFound, ServiceError } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { confirmHeld } from "../finish-queries.ts";

/**
 * Confirms that the invoices which a held run found missing are gone (completions §12): the next complete pull retires those that
 * are missing still. Only what that run found is confirmed. Throws `not_found`, and `conflict` where a later pull found otherwise.
 */
export const confirmRetirement = operation({
  id: "confirmRetirement",
  summary: "Confirm that missing invoices are gone",
  ...SETTINGS_CHANGE,
  errors: ["conflict"],
  sideEffects: "The next complete pull retires what is still missing, which withdraws its payment links.",
  input: z.strictObject({ connection_id: Uuid, sync_run_id: Uuid.describe("The run that was held") }),
  output: z.strictObject({ sync_run_id: Uuid, invoices: z.int().describe("That would be retired") }),
  async run({ tx, actor, audit }, { connection_id, sync_run_id }) {
    const { tenantId: tenant_id } = actor;
    orNotFound(await lockConnection(tx, tenant_id, connection_id), "ERP connection");
    const held = await confirmHeld(tx, { tenant_id, connection_id, sync_run_id });
    if (held === undefined)
      throw new ServiceError("conflict", "That sync run holds nothing back any more. Look at what is missing now.");
    const invoices = held.would_retire.missing.reduce((sum, part) => sum + part.invoices, 0);
    audit({ type: "sync_run", id: sync_run_id, details: { invoices: String(invoices) } });
    return { sync_run_id, invoices };
  },
});
