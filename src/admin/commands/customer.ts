import { getCustomerMailing, setCustomerMailing } from "../../core/customers/operations/customer-mailing.ts";
import { setCustomerEmail } from "../../core/customers/operations/set-customer-email.ts";
import { LOCALES } from "../../core/mail/locale.ts";
import { type Command, command } from "../command.ts";
import { OnOff, type Typed } from "../options.ts";

const CUSTOMER: Typed = ["--customer ID", "customer.id of one of its invoices"];

export const customerCommands: readonly Command[] = [
  command("customer email", setCustomerEmail, {
    summary: "set a customer's billing email, which wins over the ERP's",
    options: { customerId: CUSTOMER, email: 'the address; "" goes back to the ERP\'s' },
  }),
  command("customer set-mail", setCustomerMailing, {
    summary: "set a customer's mail language, or mail them nothing",
    options: {
      customerId: CUSTOMER,
      locale: `${LOCALES.join(", ")}; "" goes back to the workspace's`,
      noMail: [
        "--mail on|off",
        "off: no links of Auto Generate, and no emails",
        OnOff.transform((isOn) => !isOn).optional(),
      ],
    },
  }),
  command("customer show-mail", getCustomerMailing, {
    summary: "how a customer is mailed, and which mails failed",
    options: { customerId: CUSTOMER },
  }),
];
