import { z } from "zod";
import { Count, MoneyString, nameSchemas } from "./wire-types.ts";

/** All matching rows of a currency (completions §10). */
export const AmountTotal = z.strictObject({
  currency: z.string().describe("ISO 4217 code"),
  count: Count,
  amount: MoneyString,
});
nameSchemas({ AmountTotal });
