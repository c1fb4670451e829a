import { getCustomerMailing, setCustomerMailing } from "../../core/customers/operations/customer-mailing.ts";
import { setCustomerEmail } from "../../core/customers/operations/set-customer-email.ts";
import { type Command, command } from "../command.ts";
import { OnOff, type Typed } from "../options.ts";

const CUSTOMER: Typed = ["--customer ID", "customer.id of one of its invoices"];

export const customerCommands: readonly Command[] = [
  command("customer email", setCustomerEmail, {
    options: { customerId: CUSTOMER },
  }),
  command("customer set-mail", setCustomerMailing, {
    options: {
      customerId: CUSTOMER,
      noMail: [
        "--mail on|off",
        "off: no links of Auto Generate, and no emails",
        OnOff.transform((isOn) => !isOn).optional(),
      ],
    },
  }),
  command("customer show-mail", getCustomerMailing, {
    options: { customerId: CUSTOMER },
  }),
];
