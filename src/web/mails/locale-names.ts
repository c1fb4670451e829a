import { LOCALES, type Locale } from "../../core/mail/locale.ts";

const NAMES: Readonly<Record<Locale, string>> = {
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
};

/** The locales as people read them. */
export const LOCALE_NAMES: Readonly<Record<string, string>> = NAMES;

/** The same as options of a form. */
export const LOCALE_OPTIONS: readonly { value: string; label: string }[] = LOCALES.map((value) => ({
  value,
  label: NAMES[value],
}));
