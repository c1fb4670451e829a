import { z } from "zod";
import type { Transaction } from "../../../store/store.ts";
import { operation, SETTINGS_CHANGE, SETTINGS_READ } from "../../gate/operation.ts";
import { EmailAddress } from "../../kernel/email-address.ts";
import { orNotFound } from "../../kernel/error.ts";
import { cleanText } from "../../kernel/text.ts";
import { LOCALES, localeOf } from "../locale.ts";
import { changeMailSettings, selectMailSettings } from "../settings-queries.ts";

const ADDRESS = { lines: 6, characters: 100 };

/** The lines of a text, each cleaned, without empty ones. */
const cleanLines = (text: string) =>
  text.split(/\r?\n/).flatMap((line) => cleanText(line, 2 * ADDRESS.characters) ?? []);

const orNull = (text: string) => text || null;

/** Schemas of a workspace's mail settings; null removes a setting. */
export const MailSettingsInput = {
  locale: z.enum(LOCALES, `must be one of ${LOCALES.join(", ")}`).describe(LOCALES.join(", ")),
  postalAddress: z
    .string()
    .max(1_000)
    .overwrite((text) => cleanLines(text).join("\n"))
    .refine(
      (text) =>
        cleanLines(text).length <= ADDRESS.lines &&
        cleanLines(text).every(({ length }) => length <= ADDRESS.characters),
      `must have at most ${ADDRESS.lines} lines of ${ADDRESS.characters} characters each`,
    )
    .transform(orNull)
    .nullable()
    .describe('postal address, in lines; "" for none'),
  replyTo: EmailAddress.nullable().describe('where answers go; "" for nowhere'),
  contact: z
    .string()
    .overwrite((text) => cleanText(text, 400) ?? "")
    .max(200)
    .transform(orNull)
    .nullable()
    .describe('whom customers ask; "" for nobody'),
};

const MailSettings = z.strictObject({
  locale: z.enum(LOCALES),
  postal_address: z.string().nullable(),
  reply_to: z.string().nullable(),
  contact: z.string().nullable(),
  has_logo: z.boolean(),
});

/** The settings of mails to customers. Throws `not_found`. */
export const getMailSettings = operation({
  id: "getMailSettings",
  summary: "How mails to customers are written",
  ...SETTINGS_READ,
  input: z.strictObject({}),
  output: MailSettings,
  run: ({ tx, actor }) => readMailSettings(tx, actor.tenantId),
});

async function readMailSettings(tx: Transaction, tenantId: string): Promise<z.output<typeof MailSettings>> {
  const settings = orNotFound(await selectMailSettings(tx, tenantId), "workspace");
  const { locale, timezone, postal_address, reply_to, contact, logo } = settings;
  return { locale: localeOf(locale, timezone), postal_address, reply_to, contact, has_logo: logo !== null };
}

/** Changes the given settings of mails to customers; the others stay. */
export const setMailSettings = operation({
  id: "setMailSettings",
  summary: "Change how mails to customers are written; the logo is set on the page /mails",
  ...SETTINGS_CHANGE,
  sideEffects: "Mails to customers follow from now on, those that are scheduled too.",
  input: z.strictObject(MailSettingsInput).partial(),
  output: MailSettings,
  async run(context, { postalAddress: postal_address, replyTo: reply_to, ...change }) {
    await changeMailSettings(context, { ...change, postal_address, reply_to });
    return readMailSettings(context.tx, context.actor.tenantId);
  },
});
