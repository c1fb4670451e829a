import { formatMoney, type Money } from "../kernel/money.ts";

/** The languages that mails to customers are written in. */
const LANGUAGES = ["en", "de", "fr", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Languages, with the regions that write amounts and dates differently; the first of a language is its default. */
export const LOCALES = [
  "en-GB",
  "en-US",
  "de-DE",
  "de-AT",
  "de-CH",
  "fr-FR",
  "fr-BE",
  "fr-CH",
  "fr-CA",
  "es-ES",
  "es-MX",
] as const;
export type Locale = (typeof LOCALES)[number];

/** Of the names of timezones in America those of the United States. */
const US_PLACES =
  "Adak Anchorage Boise Chicago Denver Detroit Indiana Juneau Kentucky Los_Angeles Menominee Metlakatla New_York Nome \
North_Dakota Phoenix Sitka Yakutat".split(" ");

/** A stored locale; if it is unknown, English as the country of the timezone writes it. */
export function localeOf(stored: string | null | undefined, timezone: string): Locale {
  const [area = "", place = ""] = timezone.split("/");
  const isOfUs = area === "US" || timezone === "Pacific/Honolulu" || (area === "America" && US_PLACES.includes(place));
  return LOCALES.find((locale) => locale === stored) ?? (isOfUs ? "en-US" : "en-GB");
}

export function languageOf(locale: Locale) {
  return LANGUAGES.find((language) => locale.startsWith(language)) ?? "en";
}

/** An exact amount with its currency in the format of a locale: `€1,250.50`, `1.250,50 €`. */
export function localMoney(amount: Money, currency: string, locale: Locale) {
  const exact = formatMoney(amount, currency);
  const digits = exact.split(".")[1]?.length ?? 0;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: "always" } as const;
  if (!isNumeric(exact) || !/^[A-Z]{3}$/.test(currency)) return `${exact} ${currency}`;
  const format = kept(
    `${locale} ${currency} ${digits}`,
    numbers,
    () => new Intl.NumberFormat(locale, { style: "currency", currency, ...options }),
  );
  return format.format(exact);
}

const numbers = new Map<string, Intl.NumberFormat>();
const dates = new Map<string, Intl.DateTimeFormat>();
/** Formats of all locales in the currencies of ISO 4217 are fewer; an ERP may have made up others. */
const MOST_KEPT = 2_000;

/** A format is dear to make, and a mail of hundreds of links needs the same one for each. */
function kept<Format>(key: string, formats: Map<string, Format>, make: () => Format) {
  const format = formats.get(key) ?? make();
  if (formats.size >= MOST_KEPT) formats.clear();
  formats.set(key, format);
  return format;
}

/** The decimal strings that Intl formats without rounding through a number. */
const isNumeric = (text: string): text is `${number}` => /^-?\d+(\.\d+)?$/.test(text);

/** A plain date in the format of a locale: `31 March 2026`, `31. März 2026`. */
export function localDate(date: string, locale: Locale) {
  const format = kept(locale, dates, () => new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }));
  const written = format.format(new Date(`${date}T00:00:00Z`));
  // French writes the first of a month as an ordinal, which Intl does not.
  return languageOf(locale) === "fr" ? written.replace(/^1 /, "1er ") : written;
}
