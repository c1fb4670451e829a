import type { z } from "zod";
import type { disconnectErp } from "../../core/erp-connections/operations/disconnect-erp.ts";
import { remainsInWords } from "../../core/erp-connections/remains-words.ts";
import { counted } from "../../core/kernel/counted.ts";
import type { pushFailedPayments } from "../../core/payments/operations/push-failed-payments.ts";
import { render } from "../render.ts";

/** The note after a connection was made or reconnected. */
export function checkedNote({ checked, problem }: { checked: boolean; problem?: string | null }): string {
  if (problem != null)
    return `${problem}\nThe connection is kept. Mend that at the ERP, or give what is right: erp reconnect.`;
  return checked
    ? "The ERP let this user in and answered for its invoices. A running service pulls them now, unless it has to be asked: erp sync --wait tells how that went."
    : "The ERP was not asked: the first pull tells whether address, user and password are right.";
}

/** A disconnected connection, and what happens to its invoices, links, messages and receipts. */
export function disconnectedInWords({ remains, ...connection }: z.output<typeof disconnectErp.output>): string {
  const sentences = [
    "Disconnected: nothing is pulled, and the password is forgotten.",
    ...remainsInWords(remains),
    remains.messages > 0 && "To stop all messages that are scheduled: workflow disable --type auto_generate.",
    remains.receipts_held + remains.receipts_for_a_person > 0 && "To see the receipts: payment list.",
    "To connect it again: erp reconnect.",
  ];
  return `${render(connection)}\n\n${sentences.filter((sentence) => sentence !== false).join("\n")}`;
}

/** How many of a connection's receipts were queued, and which still wait for a person. */
export function pushedInWords(pushed: z.output<typeof pushFailedPayments.output>): string {
  const { receipts_queued: queued, receipts_held: held, receipts_reversed: reversed } = pushed;
  return [
    queued === 0
      ? "Nothing to push again: no receipt has failed, and none waits to be applied."
      : `${counted(queued, "receipt is", "receipts are")} queued again: payment list says how it went.`,
    queued > 0 &&
      pushed.connection_status === "disconnected" &&
      "The connection is disconnected: they wait until it is connected again (erp reconnect).",
    held > 0 &&
      `${counted(held, "receipt is", "receipts are")} held and not pushed by this: a person releases each with payment retry (payment list --status held names them). The connection goes on holding new ones until erp set --push-mode automatic.`,
    reversed > 0 &&
      `${counted(reversed, "receipt was", "receipts were")} reversed in the ERP and not pushed again: payment retry or payment settle-by-hand decides each.`,
  ]
    .filter((sentence) => sentence !== false)
    .join("\n");
}
