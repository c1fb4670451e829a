import type { CustomerRow } from "../../../store/tables/invoices.ts";
import { readEmailAddress } from "../../kernel/email-address.ts";

/**
 * Where a customer's bills go: the workspace's own address for them, which wins over the ERP's (completions §7). What the ERP
 * has counts only where mail can be sent there.
 */
export function billingEmail({ email_override, email }: Pick<CustomerRow, "email_override" | "email">): string | null {
  return email_override ?? readEmailAddress(email);
}
