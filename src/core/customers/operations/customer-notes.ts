import { z } from "zod";
import type { Transaction } from "../../../store/store.ts";
import type { CustomerNoteRow } from "../../../store/tables/invoices.ts";
import { OPEN_AGAIN } from "../../gate/audit.ts";
import { authorOf } from "../../gate/author.ts";
import { operation, type RunContext, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { addDays, businessDate } from "../../kernel/calendar.ts";
import { orNotFound, ServiceError } from "../../kernel/error.ts";
import { cleanText } from "../../kernel/text.ts";
import { validationFailed } from "../../kernel/validation.ts";
import { lineOf, PlainDate, Uuid } from "../../kernel/wire-types.ts";
import { readableDate, readableTime } from "../../mail/readable.ts";
import { timezoneOf } from "../../workspace/workspace-queries.ts";
import { deleteNote, insertNote, lockNote, updateNote } from "../note-queries.ts";
import { lockCustomer } from "../queries.ts";

const LENGTH = 1_000;
const LONGEST_AHEAD_DAYS = 2 * 366;

const NOTE_FIELDS = {
  text: lineOf(LENGTH).describe("the note"),
  dueOn: PlainDate.nullable().default(null).describe("the day on which it needs a person"),
};
const NoteId = Uuid.describe("the note");

const NOTE_CHANGE = {
  ...SETTINGS_CHANGE,
  sideEffects: "None: nobody is sent it.",
  output: z.strictObject({ id: Uuid }),
} as const;

/** Throws `validation_failed` for a day that has passed in the workspace, or is farther ahead than two years. */
async function assertAhead({ tx, now }: Pick<RunContext, "tx" | "now">, tenantId: string, day: string | null) {
  const today = businessDate(new Date(now), await timezoneOf(tx, tenantId));
  if (day !== null && (day < today || day > addDays(today, LONGEST_AHEAD_DAYS)))
    throw validationFailed([{ field: "dueOn", message: "must be today or later, and at most two years ahead" }]);
}

/** A note in the audit trail, by when it was written: never by its words. */
async function auditedAs(tx: Transaction, { tenant_id: tenantId, customer_id: id, created_at: at }: CustomerNoteRow) {
  return { type: "customer", id, details: { written: readableTime(at, await timezoneOf(tx, tenantId)) } };
}

/** Writes down something about a customer, which nobody is sent. Throws `not_found`, and `conflict` while it is under way. */
export const addCustomerNote = operation({
  id: "addCustomerNote",
  summary: "Write a note about a customer, to come back to on a day where one is given",
  errors: ["conflict"],
  ...NOTE_CHANGE,
  once: (input) => input,
  input: z.strictObject({ customerId: Uuid.describe("customer.id of one of its invoices"), ...NOTE_FIELDS }),
  async run(context, { customerId, text, dueOn }) {
    const { tx, core, actor, now, audit } = context;
    const { tenantId } = actor;
    await assertAhead(context, tenantId, dueOn);
    orNotFound(await lockCustomer(tx, tenantId, customerId), "customer");
    const id = core.newId();
    await insertNote(tx, {
      ...{ tenant_id: tenantId, note_id: id, customer_id: customerId, author_id: authorOf(actor).actor_id },
      ...{ text, due_on: dueOn, created_at: now, done_at: null },
    });
    audit({ type: "customer", id: customerId, details: dueOn === null ? {} : { due: dueOn } });
    return { id };
  },
});

/** A note with its day, as who changes it saw it. */
export const noteAsShown = ({ text, due_on: day }: { text: string | null; due_on: string | null }) =>
  day === null ? (text ?? "") : `${text} (to come back to on ${readableDate(day)})`;

const WAS = z
  .string()
  .max(2 * LENGTH)
  .optional()
  .describe("what it said before, and its day");

/** Throws `conflict` for a note that is not what it `was`. */
function assertSame(note: CustomerNoteRow, was: string | undefined, again: string) {
  const now = noteAsShown(note);
  if (was !== undefined && cleanText(was, 2 * LENGTH) !== now)
    throw new ServiceError("conflict", `The note says something else by now: “${now}”. ${again}`);
}

/**
 * Says something else in a note, which is then its caller's, or gives it another day. Throws `not_found`, and `conflict` for
 * one that is not what it `was`.
 */
export const changeCustomerNote = operation({
  id: "changeCustomerNote",
  summary: "Change a note about a customer",
  errors: ["conflict"],
  ...NOTE_CHANGE,
  input: z.strictObject({
    id: NoteId,
    ...NOTE_FIELDS,
    was: WAS,
  }),
  async run(context, { id, text, dueOn, was }) {
    const { tx, actor, audit } = context;
    const note = orNotFound(await lockNote(tx, actor.tenantId, id), "note");
    const isSame = text === note.text && dueOn === note.due_on;
    if (!isSame) assertSame(note, was, "Save it again to replace that.");
    if (dueOn !== note.due_on) await assertAhead(context, actor.tenantId, dueOn);
    const author = text === note.text ? {} : { text, author_id: authorOf(actor).actor_id };
    await updateNote(tx, actor.tenantId, id, { due_on: dueOn, ...author });
    audit(isSame ? null : await auditedAs(tx, note));
    return { id };
  },
});

/** Removes a note for good. Throws `not_found`, and `conflict` for one that is not what it `was`. */
export const removeCustomerNote = operation({
  id: "removeCustomerNote",
  summary: "Remove a note about a customer",
  errors: ["conflict"],
  ...NOTE_CHANGE,
  input: z.strictObject({ id: NoteId, was: WAS }),
  async run({ tx, actor: { tenantId }, audit }, { id, was }) {
    const note = orNotFound(await lockNote(tx, tenantId, id), "note");
    assertSame(note, was, "Remove it again if it is to go all the same.");
    await deleteNote(tx, tenantId, id);
    audit(await auditedAs(tx, note));
    return { id };
  },
});

/** Marks a note as done, or as open again; a second call changes nothing. Throws `not_found`. */
export const completeCustomerNote = operation({
  id: "completeCustomerNote",
  summary: "Mark a note about a customer as done",
  ...NOTE_CHANGE,
  input: z.strictObject({ id: NoteId, open: z.boolean().default(false).describe("take that back: it is open again") }),
  async run({ tx, actor: { tenantId }, now, audit }, { id, open }) {
    const note = orNotFound(await lockNote(tx, tenantId, id), "note");
    const isSame = (note.done_at === null) === open;
    if (!isSame) await updateNote(tx, tenantId, id, { done_at: open ? null : now });
    const about = await auditedAs(tx, note);
    audit(isSame ? null : { ...about, details: { ...about.details, ...(open && OPEN_AGAIN) } });
    return { id };
  },
});
