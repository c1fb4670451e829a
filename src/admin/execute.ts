import { z } from "zod";
import { asServiceError, ServiceError } from "../core/gate/error.ts";
import { parseInput } from "../core/shared/validation.ts";
import { ConfirmationNeeded } from "../core/workflows/confirmation.ts";
import type { Command } from "./command.ts";
import { COMMANDS } from "./commands/index.ts";
import type { AdminContext } from "./context.ts";

/** A command as it travels to whoever holds the store: `erp sync`, and its input as it was typed. */
const AdminRequest = z.strictObject({
  command: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** What the operator typed to confirm it. */
  confirmed: z.string().optional(),
});
export type AdminRequest = z.output<typeof AdminRequest>;

/** What comes back: the command's result, or why there is none. */
export const AdminAnswer = z.union([
  z.strictObject({
    result: z.json(),
    /** What was asked for was so already, and nothing was changed. */
    unchanged: z.literal(true).optional(),
  }),
  z.strictObject({
    /** Nothing was done: the operator has to confirm it first, by an option or by typing `expected`. */
    confirmation: z.strictObject({ message: z.string(), expected: z.string(), result: z.json() }),
  }),
  z.strictObject({
    refusal: z.strictObject({
      message: z.string(),
      details: z.array(z.strictObject({ field: z.string(), message: z.string() })),
    }),
  }),
]);
export type AdminAnswer = z.output<typeof AdminAnswer>;

/** Does what a request says. Never rejects: what goes wrong is the answer, and what nobody expected is logged as well. */
export async function executeRequest(context: AdminContext, request: unknown): Promise<AdminAnswer> {
  try {
    const { command, input, confirmed } = parseInput(AdminRequest, request);
    let isUnchanged = false;
    const onUnchanged = (): void => {
      isUnchanged = true;
    };
    const own = {
      ...context,
      core: { ...context.core, onUnchanged },
      ...(confirmed === undefined ? {} : { confirmed }),
    };
    const result = await findCommand(command).execute(own, input);
    return AdminAnswer.parse({ result, ...(isUnchanged ? { unchanged: true } : {}) });
  } catch (error) {
    if (error instanceof ConfirmationNeeded) {
      const { message, expected, plan } = error;
      return AdminAnswer.parse({ confirmation: { message, expected, result: { plan } } });
    }
    if (context.signal.aborted) return { refusal: { message: "The service is stopping.", details: [] } };
    const { code, message, details = [] } = asServiceError(error);
    if (code === "internal_error") context.core.log.error({ err: error }, "an operator's command failed");
    return { refusal: { message, details } };
  }
}

/** Whether a request may make the store that it works on: anything else works on what is there. */
export function startsStore({ command }: AdminRequest): boolean {
  return COMMANDS.some(({ noun, verb, startsStore: starts }) => `${noun} ${verb}` === command && starts);
}

function findCommand(name: string): Command {
  const found = COMMANDS.find(({ noun, verb }) => `${noun} ${verb}` === name);
  if (found === undefined) throw new ServiceError("not_found", "The running server does not know this command.");
  return found;
}
