import { NEWS_PATH } from "../../core/accounts/news-mail.ts";
import { getOwnNews, setOwnNews } from "../../core/accounts/operations/own-news.ts";
import { muted } from "../kit/markup.ts";
import { doing, Form, members, type WorkspaceVisit } from "../kit/page.ts";

const NAME = "Mails to you";

const NEWS = new Form(setOwnNews, {
  payments_received: { label: "Payments received" },
  mails_failed: { label: "Mails to customers that failed" },
  receipts_failed: { label: "Receipts that failed or were reversed" },
  erp_refused: { label: "An ERP that refuses its password" },
  fell_overdue: { label: "Installments that fell overdue" },
  pace: { label: "When", choices: { morning: "In one mail, at 8:00 in the morning", at_once: "Within a few minutes" } },
});

/** `/mails-to-you`: what a member is told by mail. */
export const NEWS_PAGE = {
  listing: {
    ...{ path: NEWS_PATH, name: NAME },
    settings: { group: "You", words: "What you are told by mail, and when." },
  },
  routes: members.page(NEWS_PATH, show, { "": doing("saved", (visit: WorkspaceVisit) => NEWS.send(visit)) }, members),
};

async function show(visit: WorkspaceVisit) {
  const { workspace, session } = visit;
  const about = `What happens in ${workspace.name}, told to ${session.email}. Times are in ${workspace.timezone}.`;
  visit.showPage(
    { title: NAME, isListed: true, about: muted(about), done: { saved: "Saved. Your next mail has what you chose." } },
    NEWS.view(visit, { path: NEWS_PATH, button: "Save", now: await visit.call(getOwnNews, {}) }),
  );
}
