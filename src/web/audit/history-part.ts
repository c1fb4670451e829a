import { type AuditEntry, type AuditQuery, readAuditTrail } from "../../core/audit-trail/read-audit-trail.ts";
import { emailAddress, type Html, html, type Inserted, inWords, muted, part } from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";
import { type Column, chip, table } from "../lists/list.ts";
import { detailInWords, did, labelInWords, through, who } from "./entry-words.ts";

const HISTORY: readonly Column<AuditEntry>[] = [
  { head: "When", cell: ({ at }, visit) => visit.time(at) },
  {
    head: "What",
    cell: (entry) => [
      did(entry),
      entry.outcome !== "succeeded" && [" ", chip(inWords(entry.outcome), "failed")],
      entry.details.map((detail) => html`<div class="quiet">${detailInWords(detail)}</div>`),
    ],
  },
  { head: "Who", cell: (entry) => emailAddress(who(entry)) },
  { head: "Through", cell: through },
];
const ABOUT: Column<AuditEntry> = {
  head: "About",
  cell: ({ labels }) => labels.slice(0, 3).map((label) => html`<div>${labelInWords(label)}</div>`),
};

/** What the audit trail says of an invoice and what belongs to it, or of one object; null for members, who see none. */
export async function historyPart(
  visit: WorkspaceVisit,
  about: Pick<AuditQuery, "invoiceId"> | Pick<AuditQuery, "objectId">,
  none: Inserted = null,
): Promise<Html | null> {
  if (!visit.isAdmin) return null;
  const { entries } = await visit.call(readAuditTrail, about);
  const isInvoice = "invoiceId" in about;
  const columns = isInvoice ? [...HISTORY, ABOUT] : HISTORY;
  const query = isInvoice ? { invoice: about.invoiceId } : { object: about.objectId };
  const body =
    entries.length === 0
      ? muted("Nothing is in the audit trail about it.")
      : table({ caption: "History", columns, rows: entries, visit });
  return part(
    "History",
    html`${none}${body}`,
    html`<a href="${visit.address("/audit", query)}">In the audit trail</a>`,
  );
}
