import { z } from "zod";
import { toggle } from "./command.ts";

/** `on` or `off`. */
export const OnOff = z.enum(["on", "off"], "must be on or off").transform((text) => text === "on");

/** One line from standard input, without its end. */
export const SecretLine = z
  .string()
  .transform((text) => text.replace(/\r?\n$/, ""))
  .pipe(
    z
      .string()
      .min(1, "is empty")
      .regex(/^[^\r\n]*$/, "must be one line"),
  );

/** One of a few words. */
export const choiceOf = <const W extends readonly [string, ...string[]]>(...words: W) =>
  z.enum(words, `must be ${words.join(" or ")}`);

export const WholeNumber = z
  .string()
  .regex(/^\d{1,9}$/, "must be a whole number")
  .transform(Number);

/** Confirms what workflows that are on do once the command is carried out (completions §7). */
export const YesToPlan = toggle("confirm more than 25 links or messages at once, of workflows that are on");
