import { z } from "zod";
import { getCustomerMailing, setCustomerMailing } from "../../core/customers/operations/customer-mailing.ts";
import { setCustomerEmail } from "../../core/customers/operations/set-customer-email.ts";
import { EmailAddress } from "../../core/kernel/email-address.ts";
import { Uuid } from "../../core/kernel/wire-types.ts";
import { LOCALES } from "../../core/mail/locale.ts";
import { type Command, option, workspaceCommand } from "../command.ts";
import { OnOff } from "../inputs.ts";

const CustomerId = option(Uuid, "ID", "customer.id of one of its invoices");

export const customerCommands: readonly Command[] = [
  workspaceCommand("customer email", {
    summary: "set a customer's billing email, which wins over the ERP's",
    input: z.strictObject({
      customer: CustomerId,
      email: option(
        z
          .string()
          .transform((text) => (text === "" ? null : text))
          .pipe(EmailAddress.nullable()),
        "EMAIL",
        'the address; "" goes back to the ERP\'s',
      ),
    }),
    run: ({ operate }, { customer: customerId, email }) => operate(setCustomerEmail, { customerId, email }),
  }),
  workspaceCommand("customer set-mail", {
    summary: "set a customer's mail language, or mail them nothing",
    input: z.strictObject({
      customer: CustomerId,
      locale: option(
        z.union([z.literal("").transform(() => null), z.enum(LOCALES)], "must be one of the locales").optional(),
        "LOCALE",
        `${LOCALES.join(", ")}; "" goes back to the workspace's`,
      ),
      mail: option(OnOff.optional(), "on|off", "off: no links of Auto Generate, and no emails"),
    }),
    run: ({ operate }, { customer: customerId, locale, mail }) =>
      operate(setCustomerMailing, {
        customerId,
        ...(locale !== undefined && { locale }),
        ...(mail !== undefined && { noMail: !mail }),
      }),
  }),
  workspaceCommand("customer show-mail", {
    summary: "how a customer is mailed, and which mails failed",
    input: z.strictObject({ customer: CustomerId }),
    run: ({ operate }, { customer: customerId }) => operate(getCustomerMailing, { customerId }),
  }),
];
