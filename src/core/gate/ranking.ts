import { validationFailed } from "../kernel/validation.ts";

const BY_MONEY = ["overdue_desc", "outstanding_desc"];

/** Whether a `sort` ranks amounts, which it does within each currency. */
export const ranksByMoney = (sort: string) => BY_MONEY.includes(sort);

/** For `limit_per_currency` with another `sort`. */
export const unranked = (sort: string) =>
  validationFailed([
    { field: "limit_per_currency", message: `goes with sort=${BY_MONEY.join(" or sort=")}, not with ${sort}` },
  ]);
