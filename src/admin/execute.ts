import { z } from "zod";
import { asServiceError, ServiceError } from "../core/kernel/error.ts";
import { parseInput } from "../core/kernel/validation.ts";
import { ConfirmationNeeded } from "../core/workflows/plan-schema.ts";
import type { AdminContext, Command } from "./command.ts";
import { COMMANDS } from "./commands/index.ts";

/** A command as sent to the process that holds the store: `erp sync`, and its input as typed. */
const AdminRequest = z.strictObject({
  command: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** What the operator typed to confirm it. */
  confirmed: z.string().optional(),
  /** Who typed it: their name on the machine. */
  operator: z.string().max(100).optional(),
});
export type AdminRequest = z.output<typeof AdminRequest>;

/** The answer: the command's result, a refusal, or a request to confirm. */
export const AdminAnswer = z.union([
  z.strictObject({
    result: z.json(),
    /** Nothing was changed, because it was so already. */
    unchanged: z.literal(true).optional(),
  }),
  z.strictObject({
    /** Nothing was done: the operator must confirm first, by an option or by typing `expected`. */
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

/** Executes a request. Never rejects: errors are in the answer, and unexpected ones are logged too. */
export async function executeRequest(context: AdminContext, request: unknown): Promise<AdminAnswer> {
  try {
    const { command, input, confirmed, operator } = parseInput(AdminRequest, request);
    let isUnchanged = false;
    const onUnchanged = (): void => {
      isUnchanged = true;
    };
    const own = {
      ...context,
      core: { ...context.core, onUnchanged },
      ...(confirmed === undefined ? {} : { confirmed }),
      operator,
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
    if (code === "internal_error") context.core.log.error({ err: error }, "admin.command_failed");
    return { refusal: { message, details } };
  }
}

/** Whether a request may create the store it works on. */
export function startsStore({ command }: AdminRequest): boolean {
  return COMMANDS.some(({ name, startsStore: starts }) => name === command && starts);
}

function findCommand(name: string): Command {
  const found = COMMANDS.find((command) => command.name === name);
  if (found === undefined) throw new ServiceError("not_found", "The running server does not know this command.");
  return found;
}
