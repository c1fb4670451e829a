import { z } from "zod";
import { counted } from "../../core/shared/counted.ts";
import { localTime, render } from "../render.ts";

/** The result of disabling a workflow, as received from the process that executed the command. */
const Disabled = z.object({
  type: z.string(),
  emails_cancelled: z.int(),
  messages_cancelled: z.int(),
  still_scheduled: z.object({ messages: z.int(), links: z.int(), first_at: z.string().nullable() }),
  timezone: z.string(),
});
type Disabled = z.output<typeof Disabled>;

const Fields = z.record(z.string(), z.json());

/** What disabling a workflow changed, what stays and what to do about that; null for another result. */
export function disabledInWords(result: unknown): string | null {
  const { success, data: disabled } = Disabled.safeParse(result);
  if (!success) return null;
  const {
    emails_cancelled: _emails,
    messages_cancelled: _messages,
    still_scheduled: _left,
    timezone: _zone,
    ...workflow
  } = Fields.parse(result);
  const sentences = disabled.type === "auto_generate" ? generatorSentences(disabled) : ARRANGEMENT;
  return `${render(workflow)}\n\n${sentences.join("\n")}`;
}

const ARRANGEMENT = [
  "It opens no more tasks. Those it opened stay, and keep Auto Generate from their invoices until they are dismissed.",
];

function generatorSentences({
  emails_cancelled: stopped,
  messages_cancelled: messages,
  still_scheduled: left,
  timezone,
}: Disabled): string[] {
  const sentences = ["It makes no more payment links. Those it made stay payable."];
  if (stopped > 0)
    sentences.push(
      `${counted(messages, "scheduled message")} with ${counted(stopped, "link")} will not be sent. Enabling it again sends the links that are live then.`,
    );
  if (left.messages > 0)
    sentences.push(
      `${counted(left.messages, "scheduled message")} with ${counted(left.links, "link")} will still be sent, the first on ${localTime(left.first_at ?? "", timezone)}.`,
      "To stop them: workflow disable --type auto_generate, without --keep-scheduled. One being sent cannot be stopped.",
    );
  if (stopped === 0 && left.messages === 0) sentences.push("No message is scheduled.");
  return sentences;
}
