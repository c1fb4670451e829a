import { counted } from "../kernel/counted.ts";
import type { Remains } from "./remains-queries.ts";

/** What happens to each thing that hangs on a connection once it is disconnected, a sentence each. */
export function remainsInWords(remains: Remains) {
  const { invoices, live_links, messages, receipts_waiting, receipts_held, receipts_for_a_person } = remains;
  return [
    invoices === 0
      ? "It has brought in no invoices."
      : `${counted(invoices, "invoice stays", "invoices stay")} as last read.`,
    invoices > 0 && "Auto Generate makes no new payment links for them until it is connected again.",
    live_links > 0 &&
      `${counted(live_links, "payment link stays", "payment links stay")} payable, and what is paid is recorded.`,
    messages > 0 && `${counted(messages, "scheduled mail")} with such links will be sent.`,
    receipts_waiting > 0 &&
      `${counted(receipts_waiting, "receipt is", "receipts are")} not written back until it is connected again, and then by ${receipts_waiting === 1 ? "itself" : "themselves"}.`,
    receipts_held > 0 &&
      `${counted(receipts_held, "held receipt stays", "held receipts stay")} held, and cannot be pushed until it is connected again.`,
    receipts_for_a_person > 0 &&
      `${counted(receipts_for_a_person, "receipt that failed or was reversed waits", "receipts that failed or were reversed wait")} for a person.`,
  ].filter((sentence) => sentence !== false);
}
