import { z } from "zod";
import { EmailAddress, setCustomerEmail } from "../../core/customers/operations/set-customer-email.ts";
import { Uuid } from "../../core/shared/validation.ts";
import { type Command, flags, workspaceCommand } from "../command.ts";

export const customerCommands: readonly Command[] = [
  workspaceCommand("customer email", {
    summary: "set a customer's billing email, which wins over the ERP's",
    input: z.strictObject({
      customer: Uuid.clone().register(flags, { value: "ID", description: "customer.id of one of its invoices" }),
      email: z
        .union([z.literal("").transform(() => null), EmailAddress], "must be an email address")
        .register(flags, { value: "EMAIL", description: 'the address; "" goes back to the ERP\'s' }),
    }),
    run: ({ operate }, { customer: customerId, email }) => operate(setCustomerEmail, { customerId, email }),
  }),
];
