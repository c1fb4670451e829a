import { NEWS_PATH } from "../../core/accounts/news-mail.ts";
import WORDS from "../../core/accounts/news-words.json" with { type: "json" };
import { getOwnNews, setOwnNews } from "../../core/accounts/operations/own-news.ts";
import { muted } from "../kit/markup.ts";
import { doing, Form, members, type WorkspaceVisit } from "../kit/page.ts";

const NAME = "Mails to you";

const NEWS = new Form(setOwnNews, {
  ...WORDS,
  pace: { label: "When", choices: { morning: "In one mail at 8:00", at_once: "Within a few minutes" } },
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
  visit.showPage(
    {
      title: NAME,
      isListed: true,
      done: { saved: "Saved. Your next mail has what you chose." },
      about: muted(`Sent to ${visit.session.email}. Times are in ${visit.workspace.timezone}.`),
    },
    NEWS.view(visit, { path: NEWS_PATH, button: "Save", now: await visit.call(getOwnNews, {}), isPartial: true }),
  );
}
