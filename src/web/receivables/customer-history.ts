import type { CustomerEvent } from "../../core/customers/history-queries.ts";
import {
  addCustomerNote,
  changeCustomerNote,
  completeCustomerNote,
  noteAsShown,
  removeCustomerNote,
} from "../../core/customers/operations/customer-notes.ts";
import { listCustomerHistory } from "../../core/customers/operations/list-customer-history.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { aside, hidden, html, type Inserted, inWords, link, refusalNote } from "../kit/markup.ts";
import { doing, Form, type FormActs, type WorkspaceVisit } from "../kit/page.ts";
import { amountColumn, type Column, shownDay, tablePart, textColumn } from "../lists/list.ts";
import { VALUE_WORDS } from "./terms.ts";

const PAGE = 20;
const WORDS: Readonly<Record<string, string>> = { ...VALUE_WORDS, scheduled: "Planned", deactivated: "Withdrawn" };

const NOTE_WORDS = {
  text: { label: "Note", hint: "For the people of this workspace: nobody is sent it.", type: "lines" },
  dueOn: { label: "Come back to it on", hint: "It then needs a person until it is marked as done.", type: "date" },
} as const;
const NOTE = new Form(addCustomerNote, NOTE_WORDS);
const CHANGED_NOTE = new Form(changeCustomerNote, NOTE_WORDS);

const COLUMNS: readonly Column<CustomerEvent>[] = [
  { head: "When", cell: ({ at }, visit) => visit.time(at) },
  {
    head: "What",
    cell({ kind, id, state, text, author, due_on: due }, visit) {
      const path = kind === "mail" ? `/payment-links/${id}/mail` : `/${kind.replace("_", "-")}s/${id}`;
      const words = inWords(kind === "address" && state !== null ? state : kind);
      return [
        kind === "address" || kind === "note" ? words : visit.link(path, words),
        text !== null && html`<div>${author !== null && [author, ": "]}${text}</div>`,
        due !== null && aside("To come back to on ", shownDay(due)),
      ];
    },
  },
  textColumn("Invoice", "invoice_number"),
  amountColumn("Amount", "amount"),
];

/** What happened with a customer, newest first, and the form for a note. */
export async function historyOf(visit: WorkspaceVisit, customerId: string) {
  const path = `/customers/${customerId}`;
  const noteId = visit.request.params.noteId ?? visit.parameter("note");
  // What was typed is shown again, however old its note is.
  const isRefused = visit.refusal !== null && visit.request.path === `${path}/notes/${noteId}`;
  const offset = isRefused ? Number(visit.field("older")) || 0 : visit.numberIn("older");
  const found = await visit.call(listCustomerHistory, { customerId, offset, limit: PAGE + 1 });
  const state: Column<CustomerEvent> = {
    head: "Status",
    cell({ kind, id, state }) {
      const done = (words: string, fields: Inserted = null) =>
        visit.button(`${path}/notes/${id}/done`, html`${fields}<button class="plain small">${words}</button>`);
      if (kind === "note" && state === "done" && visit.isAdmin)
        return ["Done ", done("Mark as open again", hidden("open", "on"))];
      if (kind === "note" && state === "open" && visit.isAdmin) {
        const change = `${visit.address(path, { note: id, ...(offset > 0 && { older: String(offset) }) })}#note-text`;
        return [done("Mark as done"), " ", link(change, "Change")];
      }
      return kind !== "address" && state && (WORDS[state] ?? inWords(state));
    },
  };
  const older = found.length > PAGE && visit.link(path, "Older", { older: String(offset + PAGE) });
  const shown = { columns: [...COLUMNS, state], rows: found.slice(0, PAGE), visit };
  const form = { path: `${path}/notes`, key: "note", button: "Add note", isPlain: true, look: "card" } as const;
  const note = found.find(({ kind, id }) => kind === "note" && id === noteId);
  const remove = html`<button class="danger" name="remove" value="yes" formnovalidate>Remove note</button>`;
  // What somebody else wrote is replaced once its author was told of it.
  const isTold = visit.refusal === null || visit.refusal.status === 409;
  const seen = note === undefined ? "" : noteAsShown(note);
  const was = isTold ? seen : visit.field("was");
  const isGone = isRefused && visit.refusal?.message === NOTE_REMOVED;
  const write =
    isGone || (note === undefined && !isRefused)
      ? NOTE.view(visit, { ...form, once: true, isTyped: isGone, head: isGone && refusalNote(visit.refusal) })
      : CHANGED_NOTE.view(visit, {
          ...{ ...form, path: `${path}/notes/${noteId}`, button: "Save note", acts: remove },
          now: { text: note?.text ?? null, dueOn: note?.due_on ?? null },
          head: [was !== "" && hidden("was", was), hidden("older", String(offset))],
        });
  return html`${tablePart("What happened, and what is planned", "Nothing yet.", shown, older)}
${visit.isAdmin && html`<div class="forms">${write}</div>`}`;
}

const noteIn = (visit: WorkspaceVisit) => ({ id: visit.id("noteId", "note") });

const NOTE_REMOVED = "Somebody removed this note meanwhile. What you wrote can be added as a new one.";

/** What was typed stays on its page, where the note is gone. Throws what was thrown, as a `conflict`. */
function keepWords(error: unknown): never {
  if (!(error instanceof ServiceError) || error.code !== "not_found") throw error;
  throw new ServiceError("conflict", NOTE_REMOVED);
}

/** The forms about notes. */
export const NOTE_ACTS: FormActs<WorkspaceVisit> = {
  "/notes": doing("noted", (visit) => NOTE.send(visit, { customerId: visit.id("key", "customer") }, { once: true })),
  "/notes/:noteId": {
    async send(visit) {
      const isRemoved = visit.field("remove") === "yes";
      const of = { ...noteIn(visit), was: visit.field("was") || undefined };
      await (isRemoved ? visit.call(removeCustomerNote, of) : CHANGED_NOTE.send(visit, of).catch(keepWords));
      return isRemoved ? "note_removed" : "noted";
    },
  },
  "/notes/:noteId/done": {
    async send(visit) {
      const open = visit.isTicked("open");
      await visit.call(completeCustomerNote, { ...noteIn(visit), open });
      return open ? "note_open" : "note_done";
    },
  },
};
