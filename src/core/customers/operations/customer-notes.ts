import { z } from "zod";
import { authorOf } from "../../gate/author.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { orNotFound } from "../../kernel/error.ts";
import { cleanText } from "../../kernel/text.ts";
import { PlainDate, Uuid } from "../../kernel/wire-types.ts";
import { completeNote, insertNote } from "../note-queries.ts";
import { lockCustomer } from "../queries.ts";

const LENGTH = 1_000;

/** Writes down something about a customer, which nobody is sent. Throws `not_found`. */
export const addCustomerNote = operation({
  id: "addCustomerNote",
  summary: "Write a note about a customer, to come back to on a day where one is given",
  ...SETTINGS_CHANGE,
  sideEffects: "None: nobody is sent it.",
  input: z.strictObject({
    customerId: Uuid.describe("customer.id of one of its invoices"),
    text: z.string().trim().min(1, "must not be empty").max(LENGTH).describe("the note"),
    dueOn: PlainDate.nullable().default(null).describe("the day on which it needs a person"),
  }),
  output: z.strictObject({ id: Uuid }),
  async run({ tx, core, actor, now, audit }, { customerId, text, dueOn }) {
    const { tenantId } = actor;
    orNotFound(await lockCustomer(tx, tenantId, customerId), "customer");
    const id = core.newId();
    await insertNote(tx, {
      ...{ tenant_id: tenantId, note_id: id, customer_id: customerId, author_id: authorOf(actor).actor_id },
      ...{ text: cleanText(text, LENGTH) ?? "–", due_on: dueOn, created_at: now, done_at: null },
    });
    audit({ type: "customer", id: customerId });
    return { id };
  },
});

/** Marks a note as done; a second call changes nothing. Throws `not_found`. */
export const completeCustomerNote = operation({
  id: "completeCustomerNote",
  summary: "Mark a note about a customer as done",
  ...SETTINGS_CHANGE,
  sideEffects: "None: it needs nobody any more.",
  input: z.strictObject({ id: Uuid.describe("the note") }),
  output: z.strictObject({ id: Uuid }),
  async run({ tx, actor: { tenantId }, now, audit }, { id }) {
    const note = orNotFound(await completeNote(tx, tenantId, { id, now }), "note");
    audit(note.done_at === null ? { type: "customer", id: note.customer_id } : null);
    return { id };
  },
});
