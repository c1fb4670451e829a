import { z } from "zod";
import { LOCALES } from "../../core/mail/locale.ts";
import { removeMailLogo } from "../../core/mail/operations/set-mail-logo.ts";
import { getMailSettings, MailSettingsInput, setMailSettings } from "../../core/mail/operations/set-mail-settings.ts";
import { type Command, option, workspaceCommand } from "../command.ts";

const emptied = <S extends z.ZodType>(schema: S) => z.union([z.literal("").transform(() => null), schema]).optional();

export const mailCommands: readonly Command[] = [
  workspaceCommand("mail set", {
    summary: "change how mails to customers are written; the logo is set on the page /mails",
    input: z.strictObject({
      locale: option(MailSettingsInput.locale.optional(), "LOCALE", LOCALES.join(", ")),
      address: option(emptied(MailSettingsInput.postalAddress), "TEXT", 'postal address, in lines; "" for none'),
      replyTo: option(emptied(MailSettingsInput.replyTo), "EMAIL", 'where answers go; "" for nowhere'),
      contact: option(emptied(MailSettingsInput.contact), "TEXT", 'whom customers ask; "" for nobody'),
    }),
    async run({ operate }, { address: postalAddress, ...settings }) {
      await operate(setMailSettings, { ...settings, postalAddress });
      return operate(getMailSettings, {});
    },
  }),
  workspaceCommand("mail show", {
    summary: "how mails to customers are written",
    run: ({ operate }) => operate(getMailSettings, {}),
  }),
  workspaceCommand("mail remove-logo", {
    summary: "take the logo of mails away",
    run: ({ operate }) => operate(removeMailLogo, {}),
  }),
];
