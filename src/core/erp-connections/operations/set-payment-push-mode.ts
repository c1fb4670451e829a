import { z } from "zod";
import { updateSettings } from "../../erp-access/connection-queries.ts";
import { PaymentPushMode } from "../../erp-access/schema.ts";
import { operation, ROUTE_CALLERS } from "../../gate/operation.ts";
import { notFound } from "../../kernel/error.ts";
import { Uuid } from "../../kernel/wire-types.ts";

/** completions §5. Throws `not_found`. */
export const setPaymentPushMode = operation({
  id: "setPaymentPushMode",
  tag: "ERP connections",
  summary: "Push receipts at once, or hold them",
  description: "`automatic` pushes the receipt of a payment when it is confirmed; `held` keeps it until it is pushed.",
  callers: ROUTE_CALLERS,
  permission: "admin",
  scope: null,
  sideEffects:
    "Receipts of payments confirmed from now on are pushed to the ERP at once, or held; held ones stay held.",
  input: z.strictObject({
    connection_id: Uuid.describe("ERP connection id"),
    mode: PaymentPushMode.describe("`held`: receipts wait until they are pushed"),
  }),
  output: z.strictObject({ connection_id: Uuid, mode: PaymentPushMode }),
  async run({ actor, tx, audit }, { connection_id: connectionId, mode }) {
    const updated = await updateSettings(tx, { tenantId: actor.tenantId, connectionId }, { payment_push_mode: mode });
    if (updated === undefined) throw notFound("ERP connection");
    audit(updated.isChanged ? { type: "erp_connection", id: connectionId } : null);
    return { connection_id: connectionId, mode };
  },
});
