import { z } from "zod";
import { EmailAddress, setCustomerEmail } from "../../core/customers/operations/set-customer-email.ts";
import { operate } from "../../core/gate/operator.ts";
import { Uuid } from "../../core/shared/validation.ts";
import { findWorkspace } from "../../core/workspace/workspaces.ts";
import { type Command, command, flags } from "../command.ts";
import { WorkspaceOption } from "../inputs.ts";

export const customerCommands: readonly Command[] = [
  command({
    noun: "customer",
    verb: "email",
    summary: "set a customer's billing email, which wins over the ERP's",
    input: z.strictObject({
      workspace: WorkspaceOption,
      customer: Uuid.clone().register(flags, { value: "ID", description: "customer.id of one of its invoices" }),
      email: z
        .union([z.literal("").transform(() => null), EmailAddress], "must be an email address")
        .register(flags, { value: "EMAIL", description: 'the address; "" goes back to the ERP\'s' }),
    }),
    async run({ core }, { workspace, customer: customerId, email }) {
      return operate(core, (await findWorkspace(core, workspace)).id, setCustomerEmail, { customerId, email });
    },
  }),
];
