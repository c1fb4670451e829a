import { z } from "zod";
import { Email } from "../../auth/members/member.ts";

/**
 * How an option is typed (`--user NAME`, `--password-stdin`, `--yes`, empty for a switch; without a flag its name makes one: `DATE`);
 * then, where the field's schema does not say it: what it is, and how its text is read.
 */
export type Typed = string | readonly [typed: string, about?: string | undefined, read?: z.ZodType];

/** A switch of a command's own. */
export const toggle = (about: string) => z.boolean().default(false).describe(about);

/** A switch for a field that is `off`, or `on` where it is given. */
export const switchFrom = (off: unknown, on: unknown) =>
  z
    .boolean()
    .default(false)
    .transform((isOn) => (isOn ? on : off));

/** A text that is taken away by an empty one: where the help says so, for a variable of a shell may be empty by mistake. */
export const Removable = z.string().transform((text) => text || null);

/** `on` or `off`. */
export const OnOff = z.enum(["on", "off"], "must be on or off").transform((text) => text === "on");

export const WholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number")
  .transform(Number);

/** One line from standard input, without its end. */
export const SecretLine = z
  .string()
  .transform((text) => text.replace(/\r?\n$/, ""))
  .pipe(
    z
      .string()
      .min(1, "is empty")
      .regex(/^[^\r\n]*$/, "must be one line"),
  );

/** Two lines from standard input. */
const SecretKey = z
  .string()
  .transform((text) => text.trim().split(/\r?\n/))
  .pipe(z.tuple([z.string(), z.string()], "must be two lines: the secret key and the webhook secret"))
  .refine(([, second]) => second.trim().startsWith("whsec_"), {
    error: "must have the webhook secret as its second line, which starts with whsec_",
  })
  .transform(([secretKey, webhookSecret]) => ({ secretKey, webhookSecret }));

const Codes = z.string().transform((text) => text.split(",").map((code) => code.trim()));

/** `2026-04-30:1250.50`; without a date before the colon, one that has no due date. */
const Installment = z
  .string()
  .regex(/^[^:]*:[^:]+$/, "must be DUE:AMOUNT, such as 2026-04-30:1250.50")
  .transform((text) => {
    const [due, amount] = text.split(":");
    return { dueDate: due || null, amount };
  });

/** How fields are typed, in every command that has them, where their name and schema do not say it. */
export const FIELDS: Readonly<Record<string, Typed>> = {
  workspace: "NAME",
  timezone: "ZONE",
  issuer: "URL",
  subject: "SUB",
  domains: "--domain DOMAIN",
  trustEmail: "on|off",
  locale: "LOCALE",
  postalAddress: "--address TEXT",
  replyTo: "EMAIL",
  contact: "TEXT",
  username: "--user NAME",
  receiptMethod: "NAME",
  intervalMinutes: "--interval MINUTES",
  paymentPushMode: "--push-mode automatic|held",
  keys: [
    "--secret-key-stdin",
    "stripe: read its secret key and its webhook secret from standard input, a line each",
    SecretKey,
  ],
  currencies: ["USD,EUR", "ISO 4217 codes of what it charges", Codes],
  status: "failed|reversed|held|…",
  receiptNumber: "N",
  payment_link_id: ["--link ID", "the payment link's id"],
  currency: "CODE",
  installments: [
    "--installment DUE:AMOUNT",
    "one installment; repeat it, all together make up the amount. None: the invoice is one",
    z.array(Installment),
  ],
  reference: "TEXT",
  noMail: ["--mail on|off", "off: no links of Auto Generate, and no emails", OnOff.transform((isOn) => !isOn)],
  customers: ["--customer ID", "payment_arrangement: matches this customer's invoices; repeat it"],
  assignee: "EMAIL",
  sendAt: "HH:MM",
  member: ["--email EMAIL", "the person's email address", Email.transform((email) => ({ email }))],
  password: ["--password-stdin", "read that user's password from standard input"],
  clientSecret: ["--client-secret-stdin", "read the secret it gave us from standard input"],
  webhookSecret: ["--webhook-secret-stdin", "read the new webhook secret from standard input"],
};
