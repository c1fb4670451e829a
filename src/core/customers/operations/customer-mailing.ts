import { z } from "zod";
import { queueOpenInvoices } from "../../collection/to-examine-queries.ts";
import { changedSettings } from "../../gate/audit.ts";
import { ADMINS_READ, operation, SETTINGS_CHANGE, SETTINGS_READ } from "../../gate/operation.ts";
import { billingEmail } from "../../invoices/delivery/delivered-invoice.ts";
import { orNotFound } from "../../kernel/error.ts";
import { Instant, Uuid } from "../../kernel/wire-types.ts";
import { failureReason } from "../../mail/failure.ts";
import { LOCALES } from "../../mail/locale.ts";
import { scheduleFailedEmails } from "../../payment-links/emails/schedule-failed.ts";
import { type FailedMessage, selectFailed, selectMailing, selectUnmailed, upsertMailing } from "../mailing-queries.ts";
import { lockCustomer } from "../queries.ts";

const SHOWN = 100;

const CustomerId = Uuid.describe("customer.id of one of its invoices");

/** A message that failed; `codes` are the mail server's, null where it gave none, and `reason` says what happened. */
const FailedEmail = z.strictObject({
  customer_id: Uuid.nullable(),
  customer_name: z.string().nullable(),
  to: z.string(),
  failed_at: Instant,
  codes: z.string().nullable(),
  reason: z.string(),
  links: z.int(),
});

const CustomerMailing = z.strictObject({
  customer_id: Uuid,
  name: z.string().nullable(),
  number: z.string().nullable(),
  email: z.string().nullable().describe("The one that counts"),
  own_email: z.string().nullable().describe("Set in this service: it wins over the ERP's"),
  erp_email: z.string().nullable().describe("As the ERP has it, even where no mail can be sent there"),
  locale: z.string().nullable(),
  no_mail: z.boolean(),
});

/** How a customer is mailed, and what mail servers rejected. Throws `not_found`. */
export const getCustomerMailing = operation({
  id: "getCustomerMailing",
  summary: "How a customer is mailed, and which mails failed",
  ...SETTINGS_READ,
  input: z.strictObject({ customerId: CustomerId }),
  output: CustomerMailing.extend({ failed: z.array(FailedEmail) }),
  async run({ tx, actor: { tenantId } }, { customerId }) {
    const mailing = orNotFound(await selectMailing(tx, tenantId, customerId), "customer");
    const failed = await selectFailed(tx, tenantId, { customerId, limit: SHOWN });
    return { ...asMailing(mailing), failed: failed.map(asFailed) };
  },
});

/** The customers who are mailed nothing, and the latest messages that failed. */
export const listMailingProblems = operation({
  id: "listMailingProblems",
  summary: "List customers who are not reached by mail",
  ...ADMINS_READ,
  input: z.strictObject({}),
  output: z.strictObject({ not_mailed: z.array(CustomerMailing), failed: z.array(FailedEmail) }),
  async run({ tx, actor: { tenantId } }) {
    const failed = await selectFailed(tx, tenantId, { customerId: null, limit: SHOWN });
    const unmailed = await selectUnmailed(tx, tenantId, SHOWN);
    return { not_mailed: unmailed.map(asMailing), failed: failed.map(asFailed) };
  },
});

/** Changes what is given of how a customer is mailed. Throws `not_found`. */
export const setCustomerMailing = operation({
  id: "setCustomerMailing",
  summary: "Set a customer's mail language, or mail them nothing",
  ...SETTINGS_CHANGE,
  sideEffects:
    "A customer who is mailed nothing gets no links of Auto Generate, and scheduled emails are cancelled when they are due: those of Auto Generate are scheduled again once the customer is mailed again.",
  input: z.strictObject({
    customerId: CustomerId,
    locale: z
      .enum(LOCALES)
      .nullable()
      .optional()
      .describe(`${LOCALES.join(", ")}; "" goes back to the workspace's`),
    noMail: z.boolean().optional(),
  }),
  output: CustomerMailing,
  async run({ tx, core, actor: { tenantId }, now, audit }, { customerId, locale, noMail }) {
    orNotFound(await lockCustomer(tx, tenantId, customerId), "customer");
    const before = orNotFound(await selectMailing(tx, tenantId, customerId), "customer");
    const mailing = {
      locale: locale === undefined ? before.locale : locale,
      no_mail: noMail ?? before.no_mail ?? false,
    };
    await upsertMailing(tx, { tenant_id: tenantId, customer_id: customerId, ...mailing, updated_at: now });
    const shown = (of: typeof mailing) => ({ language: of.locale, mailed: of.no_mail ? "no" : "yes" });
    const details = changedSettings(shown({ ...before, no_mail: before.no_mail ?? false }), shown(mailing));
    if (before.no_mail === true && !mailing.no_mail) {
      // They get links of Auto Generate now, what came due meanwhile, and what failed at another address than now's.
      await queueOpenInvoices(tx, core, tenantId, ["customer_id", customerId]);
      await scheduleFailedEmails(tx, core, tenantId, { customerId });
    }
    audit("changed" in details ? { type: "customer", id: customerId, details } : null);
    return asMailing({ ...before, ...mailing });
  },
});

type StoredMailing = NonNullable<Awaited<ReturnType<typeof selectMailing>>>;

function asMailing({ no_mail, ...rest }: StoredMailing): z.output<typeof CustomerMailing> {
  const email = billingEmail({ email_override: rest.own_email, email: rest.erp_email });
  return { ...rest, email, no_mail: no_mail ?? false };
}

function asFailed({ customer_id, name, recipient, failed_at, links, ...why }: FailedMessage) {
  const reason = { codes: why.server_codes, reason: failureReason(why) };
  return { customer_id, customer_name: name, to: recipient, failed_at, ...reason, links };
}
