import { z } from "zod";
import { asServiceError, ServiceError } from "../core/kernel/error.ts";
import { parseInput } from "../core/kernel/validation.ts";
import { ConfirmationNeeded } from "../core/workflows/plan-schema.ts";
import type { AdminContext } from "./command.ts";
import { COMMANDS } from "./commands/index.ts";
import { planInWords } from "./commands/workflow-plan.ts";

/** A command as sent to the process that holds the store: `erp sync`, and what its options say. */
const AdminRequest = z.strictObject({
  command: z.string(),
  input: z.record(z.string(), z.unknown()),
  /** Who typed it: their name on the machine. */
  operator: z.string().max(100).optional(),
});
export type AdminRequest = z.output<typeof AdminRequest>;

/** The command's result and what is shown of it, a refusal, or a request to confirm. */
export type AdminAnswer = Awaited<ReturnType<typeof executeRequest>>;

/** Executes a request. Never rejects: errors are in the answer, and unexpected ones are logged too. */
export async function executeRequest(context: AdminContext, request: unknown) {
  try {
    const { command, input, operator } = parseInput(AdminRequest, request);
    const found = commandNamed(command);
    if (found === undefined) throw new ServiceError("not_found", "The running server does not know this command.");
    /** Nothing was changed, because it was so already. */
    let unchanged = false;
    const onUnchanged = () => {
      unchanged = true;
    };
    const own = { ...context, core: { ...context.core, onUnchanged }, operator };
    return { ...(await found.execute(own, input)), unchanged };
  } catch (error) {
    if (error instanceof ConfirmationNeeded) {
      const { message, expected, plan } = error;
      // Nothing was done: the operator must confirm the text first, by an option or by typing what is expected.
      return { confirmation: { message, expected, text: planInWords(plan) } };
    }
    if (context.signal.aborted) return { refusal: { message: "The service is stopping.", details: [] } };
    const { code, message, isSummary, details = [] } = asServiceError(error);
    if (code === "internal_error") context.core.log.error({ err: error }, "admin.command_failed");
    // No message where it says no more than the details.
    return { refusal: { message: isSummary ? null : message, details } };
  }
}

/** Whether a request may create the store it works on. */
export const startsStore = ({ command }: AdminRequest) => commandNamed(command)?.startsStore === true;

const commandNamed = (name: string) => COMMANDS.find((command) => command.name === name);
