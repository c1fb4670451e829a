import { z } from "zod";
import { lockChargeableCurrencies } from "../../collection/collection-queries.ts";
import { findConnection } from "../../erp-access/connection-queries.ts";
import { operation } from "../../gate/operation.ts";
import { AmountTotal } from "../../kernel/amount-totals.ts";
import { notFound, ServiceError } from "../../kernel/error.ts";
import { money, sum } from "../../kernel/money.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { type AskedPush, heldPayments } from "../payment-queries.ts";
import { QueuedReceipts, queueReceipts, recordQueued } from "./push-held-payments.ts";

/** What it came to, by currency. */
const Shown = z
  .array(AmountTotal.extend({ currency: AmountTotal.shape.currency.max(7), amount: AmountTotal.shape.amount.max(100) }))
  .max(200);

/**
 * Queues all that a connection holds, for somebody who was shown what it comes to; nothing where that has changed meanwhile, which
 * is a `conflict`. Throws `not_found`, `connection_disconnected`.
 */
export const pushHeldOfConnection = operation({
  id: "pushHeldOfConnection",
  summary: "Push all held receipts of an ERP connection",
  errors: ["conflict", "connection_disconnected"],
  callers: ["person"],
  permission: "admin",
  scope: null,
  sideEffects:
    "Held receipts are queued, and soon posted to the ERP and applied there; none of it can be taken back here.",
  idempotency: true,
  input: z.strictObject({ connectionId: Uuid, shown: Shown }),
  output: QueuedReceipts,
  async run(context, { connectionId, shown }) {
    const { tx, actor, audit } = context;
    const { tenantId } = actor;
    await lockChargeableCurrencies(tx, tenantId);
    if ((await findConnection(tx, tenantId, connectionId)) === undefined) throw notFound("ERP connection");
    const held = await heldPayments(tx, tenantId, connectionId);
    if (!comesTo(held, shown))
      throw new ServiceError("conflict", "What is held has changed since it was shown. Nothing was pushed.");
    const answer = await queueReceipts(context, held, { isExact: true });
    audit(answer.data.length > 0 ? { type: "erp_connection", id: connectionId } : null);
    await recordQueued(context, answer);
    return answer;
  },
});

function comesTo(held: readonly AskedPush[], shown: readonly z.output<typeof AmountTotal>[]): boolean {
  const byCurrency = Map.groupBy(held, ({ currency }) => currency);
  return (
    byCurrency.size === shown.length &&
    shown.every(({ currency, count, amount }) => {
      const those = byCurrency.get(currency) ?? [];
      return those.length === count && sum(those.map((one) => money(one.amount))).equals(money(amount));
    })
  );
}
