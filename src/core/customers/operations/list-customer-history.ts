import { z } from "zod";
import { operation, SETTINGS_READ } from "../../gate/operation.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { type CustomerEvent, eventsOf } from "../history-queries.ts";
import { setCustomerMailing } from "./customer-mailing.ts";
import { setCustomerEmail } from "./set-customer-email.ts";

/** Mails, links, payments with their receipts, tasks, changes of address and notes of a customer, newest first. */
export const listCustomerHistory = operation({
  id: "listCustomerHistory",
  summary: "What happened with a customer, and the notes about them",
  ...SETTINGS_READ,
  input: z.strictObject({
    customerId: Uuid.describe("customer.id of one of its invoices"),
    limit: z.int().min(1).max(100).default(20).describe("how many"),
    offset: z.int().min(0).max(100_000).default(0).describe("how many newer ones to leave out"),
  }),
  output: z.array(z.custom<CustomerEvent>()),
  run: ({ tx, actor: { tenantId } }, asked) =>
    eventsOf(tx, tenantId, { ...asked, operations: [setCustomerEmail.id, setCustomerMailing.id] }),
});
