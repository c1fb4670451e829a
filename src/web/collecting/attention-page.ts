import { summarizeAttention } from "../../core/attention/list-attention.ts";
import { resolveAttention } from "../../core/attention/operations/resolve-attention.ts";
import { counted } from "../../core/kernel/counted.ts";
import { emptied, muted } from "../kit/markup.ts";
import { admins, doing, members, type WorkspaceVisit } from "../kit/page.ts";
import { attentionList } from "../receivables/attention-view.ts";

const PATH = "/attention";
const TITLE = "Needs a person";
/** More are told by their number. */
const MAX_ENTRIES = 50;

const RESOLVE = doing("resolved", (visit: WorkspaceVisit) =>
  visit.call(resolveAttention, { id: visit.id("itemId", "attention item") }),
);

/** `/attention`: payments, and ERPs that lost invoices, that need a person, with what to do about each. */
export const ATTENTION_PAGE = {
  listing: { path: PATH, name: TITLE, beside: "/payments" },
  routes: members.page(PATH, show, { "/:itemId/resolve": RESOLVE }, admins),
};

const HEAD = {
  title: TITLE,
  isListed: true,
  about: muted(
    "Refunds, disputes, overpayments, receipts that did not reach the ERP or wait for a day or longer, and invoices \
that an ERP no longer shows; oldest first.",
  ),
  done: { resolved: "Marked as dealt with. It is listed again if more of it happens." },
} as const;

async function show(visit: WorkspaceVisit) {
  const { oldest, counts } = await visit.call(summarizeAttention, { most: MAX_ENTRIES });
  const more = counts.values().reduce((sum, count) => sum + count, 0) - oldest.length;
  visit.showPage(
    HEAD,
    oldest.length === 0
      ? emptied("Nothing needs a person.", visit.link("/payments", "See all payments"))
      : attentionList(oldest, visit),
    more > 0 && muted(`${counted(more, "more entry", "more entries")} once these are dealt with.`),
  );
}
