import type { z } from "zod";
import type { Core } from "./core.ts";

/** What an operation answers. Types hold it to the schema; where the core {@link Core.checksOutputs}, the schema does too. */
export function checkedOutput<O extends z.ZodType>(core: Core, schema: O, answer: z.output<O>): z.output<O> {
  if (core.checksOutputs) schema.parse(answer);
  return answer;
}
