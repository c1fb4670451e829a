import type { ErpCustomer } from "../../../gateways/erp/gateway.ts";
import { cleanText } from "../../kernel/text.ts";

/** Stands for the ERP's customer id on invoices whose ERP record names no customer at all. */
export const NO_CUSTOMER = "none";

/**
 * What a customer of a connection is kept under (service.md §2.4): the ERP's id, else its account number, else one key for
 * all that names none. Never a name, which several may have.
 */
export function erpCustomerKey({ erpCustomerId, number }: ErpCustomer): string {
  if (erpCustomerId !== null) return erpCustomerId;
  const account = cleanText(number);
  return account === null ? NO_CUSTOMER : `number:${account}`;
}
