import type { PaymentConfirmed } from "../../../gateways/payments/events.ts";
import { innerOperation } from "../../gate/inner-operation.ts";
import { type Money, toMinor } from "../../kernel/money.ts";
import { readableMoney } from "../../mail/readable.ts";
import type { StoredLink } from "../../payment-links/link-queries.ts";
import { raisePaid } from "./other-currency.ts";

/** Says of a payment how far it is above what was owed as it came, if it is. */
export const noteOverpayment = innerOperation({
  id: "recordOverpayment",
  callers: ["provider"],
  async run(
    { tx, core, audit },
    { link, event, paymentId, over }: { link: StoredLink; event: PaymentConfirmed; paymentId: string; over: Money },
  ) {
    const amountMinor = toMinor(over, event.currency) ?? 0n;
    if (amountMinor <= 0n) return audit(null);
    await raisePaid(tx, core, link, { ...event, amountMinor }, { kind: "payment_over_owed", paymentId });
    audit({ type: "payment", id: paymentId, details: { excess: readableMoney(over, event.currency) } });
  },
});
