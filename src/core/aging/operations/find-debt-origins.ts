import { z } from "zod";
import { operation, PAGES_READ } from "../../gate/operation.ts";
import { formatStored } from "../../kernel/money.ts";
import { MoneyString, PlainDate, Uuid } from "../../kernel/wire-types.ts";
import { originsOfDebts } from "../statement-queries.ts";

/** What a debt was for, and the newest live link on it. */
export const DebtOrigin = z.strictObject({
  invoice_date: PlainDate.nullable(),
  original_amount: MoneyString.nullable(),
  pay_link: z.string().nullable(),
  pay_amount: MoneyString.nullable(),
});

/** The same of some debts, by their installments; by the invoice of one without. */
export const findDebtOrigins = operation({
  id: "findDebtOrigins",
  summary: "Find what debts were for, and the links that pay them",
  ...PAGES_READ,
  input: z.strictObject({ ids: z.array(Uuid).max(1_000) }),
  output: z.map(Uuid, DebtOrigin),
  async run({ tx, actor }, { ids }) {
    const rows = await originsOfDebts(tx, actor.tenantId, ids);
    return new Map(
      rows.map(({ debt_id: id, currency, original_amount: original, pay_amount: pay, ...row }) => [
        id,
        { ...row, original_amount: formatStored(original, currency), pay_amount: formatStored(pay, currency) },
      ]),
    );
  },
});
