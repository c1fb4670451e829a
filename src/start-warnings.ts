import type { Config } from "./config.ts";
import { misspelled, nearest } from "./core/kernel/nearest-name.ts";
import { isLoopbackUrl, SETTINGS } from "./settings.ts";

/** Prefixes that only settings of this service have. */
const OURS = /^(DATABASE|ENCRYPTION|ERP|METRICS|OAUTH|PUBLIC|PULLS|RATE|SMTP|TRUSTED)_/;

/** Maximum of unknown settings that are named; the others are counted. */
const NAMED = 5;

/** Warnings about valid settings, one line each, logged at the start. */
export function startWarnings(
  environment: Readonly<Record<string, string | undefined>>,
  { publicUrl }: Pick<Config, "publicUrl">,
) {
  const isInTheClear = publicUrl.startsWith("http:") && !isLoopbackUrl(publicUrl);
  const inTheClear = `PUBLIC_URL: ${publicUrl} is not https: passwords and tokens can be read on their way`;
  const unknown = unknownSettings(environment);
  return [...(unknown === null ? [] : [unknown]), ...(isInTheClear ? [inTheClear] : [])];
}

/** Warns of names that look like settings but are unknown; null without any. */
function unknownSettings(environment: Readonly<Record<string, string | undefined>>) {
  const given = Object.keys(environment).filter((name) => (environment[name] ?? "") !== "");
  const told = given
    .filter((name) => !SETTINGS.includes(name))
    .map((name) => ({ name, near: OURS.test(name) ? nearest(name, SETTINGS) : misspelled(name, SETTINGS) }))
    .filter(({ name, near }) => near !== null || OURS.test(name))
    .map(({ name, near }) => (near === null ? name : `${name} (did you mean ${near}?)`));
  if (told.length === 0) return null;
  const others = told.length > NAMED ? `, and ${told.length - NAMED} more` : "";
  return `unknown settings are ignored: ${told.slice(0, NAMED).join(", ")}${others}`;
}
