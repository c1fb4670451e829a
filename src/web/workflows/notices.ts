import type { Request } from "express";
import { counted } from "../../core/kernel/counted.ts";
import { type Html, html } from "../kit/html.ts";
import { WORKFLOW_NAMES, workflowTypeOf } from "../kit/workflow-words.ts";
import { parameter } from "../kit/workspace-pages.ts";

/** What was just done, by the query of the address; null where nothing was. */
export function workflowNotice(request: Pick<Request, "query">): Html | null {
  const type = workflowTypeOf(parameter(request, "type") ?? undefined);
  if (type === undefined) return null;
  const words = wordsOf(request, type);
  return words === null ? null : html`<p class="status" role="status">${words}</p>`;
}

const WHAT_FOLLOWS = {
  auto_generate: "Its links are being made now, and its mails go out at their time. The history tells of each.",
  payment_arrangement: "Its tasks are being opened now. The history tells of each.",
} as const;

function wordsOf(request: Pick<Request, "query">, type: keyof typeof WHAT_FOLLOWS): string | null {
  const name = WORKFLOW_NAMES[type];
  const number = (of: string): number => Number(/^\d{1,7}$/.exec(parameter(request, of) ?? "")?.[0] ?? 0);
  switch (parameter(request, "done")) {
    case "on":
      return `${name} is on. ${WHAT_FOLLOWS[type]}`;
    case "saved":
      return `The settings of ${name} were saved. ${WHAT_FOLLOWS[type]}`;
    case "off":
      return [
        `${name} is off.`,
        number("cancelled") > 0 ? `${counted(number("cancelled"), "scheduled mail")} will not be sent.` : "",
        number("kept") > 0 ? `${counted(number("kept"), "scheduled mail")} will still be sent.` : "",
      ]
        .filter((part) => part !== "")
        .join(" ");
    default:
      return null;
  }
}
