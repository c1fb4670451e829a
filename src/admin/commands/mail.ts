import { LOCALES } from "../../core/mail/locale.ts";
import { removeMailLogo } from "../../core/mail/operations/set-mail-logo.ts";
import { getMailSettings, setMailSettings } from "../../core/mail/operations/set-mail-settings.ts";
import { type Command, command } from "../command.ts";

export const mailCommands: readonly Command[] = [
  command("mail set", setMailSettings, {
    summary: "change how mails to customers are written; the logo is set on the page /mails",
    options: {
      locale: ["LOCALE", LOCALES.join(", ")],
      postalAddress: ["--address TEXT", 'postal address, in lines; "" for none'],
      replyTo: ["EMAIL", 'where answers go; "" for nowhere'],
      contact: ["TEXT", 'whom customers ask; "" for nobody'],
    },
    async run({ operate }, settings) {
      await operate(setMailSettings, settings);
      return operate(getMailSettings, {});
    },
  }),
  command("mail show", getMailSettings, { summary: "how mails to customers are written" }),
  command("mail remove-logo", removeMailLogo, { summary: "take the logo of mails away" }),
];
