import type { Locale } from "../../core/mail/locale.ts";

/** The locales as people read them. */
export const LOCALE_NAMES: Readonly<Record<string, string>> = {
  "en-GB": "English (international)",
  "en-US": "English (United States)",
  "de-DE": "German (Germany)",
  "de-AT": "German (Austria)",
  "de-CH": "German (Switzerland)",
  "fr-FR": "French (France)",
  "fr-BE": "French (Belgium)",
  "fr-CH": "French (Switzerland)",
  "fr-CA": "French (Canada)",
  "es-ES": "Spanish (Spain)",
  "es-MX": "Spanish (Mexico)",
} satisfies Record<Locale, string>;
