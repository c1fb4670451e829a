import { resolveAttention } from "../../core/attention/operations/resolve-attention.ts";
import { counted } from "../../core/kernel/counted.ts";
import { emptied, muted } from "../kit/markup.ts";
import { admins, type FormAct, members, type WorkspaceVisit } from "../kit/page.ts";
import { NEEDS_A_PERSON, needsList, readNeeds } from "../receivables/needs.ts";

const PATH = "/attention";
/** More are told by their number. */
const MAX_ENTRIES = 50;

const RESOLVE: FormAct<WorkspaceVisit> = {
  async send(visit) {
    const open = visit.isTicked("open");
    await visit.call(resolveAttention, { id: visit.id("itemId", "attention item"), open });
    return open ? "open" : "resolved";
  },
};

/** `/attention`: all that needs a person, with what to do about each. */
export const ATTENTION_PAGE = {
  listing: { path: PATH, name: NEEDS_A_PERSON, beside: "/payments" },
  routes: members.page(PATH, show, { "/:itemId/resolve": RESOLVE }, admins),
};

const HEAD = {
  title: NEEDS_A_PERSON,
  isListed: true,
  about: muted("What the service cannot settle by itself, and what to do about each."),
  done: {
    resolved: "Marked as dealt with. It can be marked as open again on its payment or invoice.",
    open: "It is open again.",
  },
} as const;

async function show(visit: WorkspaceVisit) {
  const needs = await readNeeds(visit, MAX_ENTRIES);
  const more = needs.moreEntries;
  visit.showPage(
    HEAD,
    needsList(needs, visit) || emptied("Nothing needs a person.", visit.link("/payments", "See all payments")),
    more > 0 && muted(`${counted(more, "more entry", "more entries")} once these are dealt with.`),
  );
}
