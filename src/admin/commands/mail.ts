import { removeMailLogo } from "../../core/mail/operations/set-mail-logo.ts";
import { getMailSettings, setMailSettings } from "../../core/mail/operations/set-mail-settings.ts";
import { type Command, command } from "../command.ts";

export const mailCommands: readonly Command[] = [
  command("mail set", setMailSettings, {
    options: { locale: "LOCALE", postalAddress: "--address TEXT", replyTo: "EMAIL", contact: "TEXT" },
    async run({ operate }, settings) {
      await operate(setMailSettings, settings);
      return operate(getMailSettings, {});
    },
  }),
  command("mail show", getMailSettings),
  command("mail remove-logo", removeMailLogo),
];
