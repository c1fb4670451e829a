import type { Sender } from "../../gateways/mail/letter.ts";
import type { InlinePicture } from "../../gateways/mail/mailer.ts";
import { type Locale, localeOf } from "./locale.ts";
import type { Contact } from "./payment-link-email.ts";
import type { MailSettingsRecord } from "./settings-queries.ts";

/** Content id of the logo in a message. */
const LOGO_ID = "logo";

/** The appearance of a workspace's mails to customers, and their reply address. */
export interface Letterhead extends Contact {
  readonly sender: Sender;
  readonly pictures: readonly InlinePicture[];
  /** For customers without a locale of their own. */
  readonly locale: Locale;
}

/** The letterhead from a workspace's settings. */
export function letterheadOf(settings: MailSettingsRecord): Letterhead {
  const { logo, logo_width: width, logo_height: height } = settings;
  const hasLogo = logo !== null && width !== null && height !== null;
  return {
    sender: {
      name: settings.workspace_name,
      logo: hasLogo ? { source: `cid:${LOGO_ID}`, width, height } : undefined,
      foot: addressLines(settings.postal_address),
    },
    pictures: hasLogo ? [{ id: LOGO_ID, type: "image/png", content: logo }] : [],
    locale: localeOf(settings.locale, settings.timezone),
    contact: settings.contact,
    replyTo: settings.reply_to,
  };
}

/** The lines of a postal address. */
function addressLines(address: string | null) {
  return (address ?? "").split("\n").filter((line) => line !== "");
}
