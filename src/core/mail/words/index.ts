import type { Language } from "../locale.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import type { LinkMailWords } from "./link-mail-words.ts";

/** The texts of mails with payment links in each language. */
export const LINK_MAIL_WORDS: Readonly<Record<Language, LinkMailWords>> = { en, de, fr, es };
