import { z } from "zod";
import { cleanText } from "./text.ts";

/** An address mail can be sent to, as far as its form tells. */
export const EmailAddress = z
  .string()
  .transform((text) => cleanText(text, 320))
  .pipe(z.string().regex(/^[^\s@]+@[^\s@]+$/, "must be an email address"));
