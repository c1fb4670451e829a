import type { z } from "zod";
import type { Operation, PersonActor } from "../../core/gate/operation.ts";
import { isPlainDate } from "../../core/kernel/calendar.ts";
import { counted } from "../../core/kernel/counted.ts";
import { type JsonSchema, schemaOfInput } from "../../core/kernel/json-schema.ts";
import { capital } from "../../core/kernel/text.ts";
import { readableMoney } from "../../core/mail/readable.ts";
import type { ConfirmationNeeded } from "../../core/workflows/plan-schema.ts";
import { type Html, html, type Inserted } from "./html.ts";
import { actOnce, onceField } from "./once.ts";
import { actions, checkbox, hidden, input, points, secretInput, select, textarea, tick } from "./parts.ts";
import { type Refusal, refusalNote } from "./refusal.ts";
import type { Visit, WorkspaceVisit } from "./visit.ts";
import { timeElement } from "./words.ts";

/** What a form says of a field; the rest is read off its operation's input. */
export interface FieldWords {
  readonly label: string;
  readonly hint?: Inserted;
  /** The form's own name of it; else the input's, in snake case. */
  readonly name?: string;
  /**
   * A `secret` is never filled in; one that is `asked` is a box below the others, shown once a refusal asks for it;
   * what is the `page`'s the form neither shows nor reads.
   */
  readonly type?: "secret" | "asked" | "page" | "lines" | "file" | "url" | "email" | "date" | "time";
  /** What can be chosen, by value. */
  readonly choices?: Readonly<Record<string, string>>;
  /** What a box stands for that is ticked, and one that is not. */
  readonly box?: readonly [ticked: unknown, empty: unknown];
  /** Further attributes of it, in place of those against filling it in. */
  readonly attributes?: Html;
  /** A refusal that says nothing of a field is about this one. */
  readonly isBlamed?: true;
  /** Sent by a form of changes too: what else is typed there is meant for it. */
  readonly isAlways?: true;
  /** The page itself makes the input of it. */
  readonly isOwn?: true;
  /** What the input is given for what was typed. */
  read?(typed: string): unknown;
  /** What is said of a value that was not accepted; of a list, the item at `index`, else NaN. */
  say?(message: string, typed: string, index: number): string;
}

/** The words of fields, by the name in the input: of a field within another, `keys.secretKey`. */
type Words = Readonly<Record<string, FieldWords>>;

interface Field extends FieldWords {
  readonly key: string;
  readonly name: string;
  readonly property: JsonSchema;
  readonly isRequired: boolean;
}

/** What a field is called in a form: `keys.secretKey` is `secret_key`. */
export const nameInForm = (key: string) =>
  key.replace(/^.*\./, "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function fieldOf(schema: z.ZodType, key: string, words: FieldWords) {
  const found = key.split(".").reduce((within, name) => within.properties?.[name] ?? {}, schemaOfInput(schema));
  const property = { ...found.anyOf?.[0], ...found };
  const isNullable = found.anyOf !== undefined || Array.isArray(property.type);
  return { name: nameInForm(key), ...words, key, property, isRequired: !isNullable };
}

interface View {
  /** Keeps the ids of several forms on a page apart. */
  readonly key?: string;
  /** Where it is sent. */
  readonly path: string;
  readonly button: string;
  /** The button is not the main one of its page. */
  readonly isPlain?: true;
  /** Beside the button. */
  readonly acts?: Inserted;
  /** Fields beside each other, in a grid of that class; of a form that is a row, without one. */
  readonly grid?: string;
  /** It shows what was typed, as after a refusal. */
  readonly isTyped?: boolean;
  /** Faults are told by the answer only. */
  readonly novalidate?: true;
  /** What fields hold now, by the name in the input; else their defaults. */
  readonly now?: Readonly<Record<string, unknown>>;
  /** What nobody changed in it is left out: somebody else may change it while the page is open. */
  readonly isPartial?: true;
  /** What is said of fields on this page only. */
  readonly words?: Readonly<Record<string, Partial<FieldWords>>>;
  /** It is carried out once, however often it is sent. */
  readonly once?: true;
  readonly label?: string;
  readonly look?: string;
  /** Above the fields, and below them. */
  readonly head?: Inserted;
  readonly foot?: Inserted;
}

/** A form over an operation: its fields, what is wrong with them, and what was typed. */
export class Form<I extends z.ZodType, O extends z.ZodType> {
  readonly #operation: Operation<I, O, PersonActor>;
  readonly #fields: readonly Field[];
  readonly #notDone: string;

  /** `notDone` is said above a form with faults at its fields. */
  constructor(operation: Operation<I, O, PersonActor>, words: Words, notDone = "Nothing was changed.") {
    this.#operation = operation;
    this.#fields = Object.entries(words).map(([key, field]) => fieldOf(operation.input, key, field));
    this.#notDone = notDone;
  }

  /** Carries the operation out with what was typed, and `more`. Throws what the operation throws. */
  async send(visit: WorkspaceVisit, more: object = {}, { once = false } = {}) {
    const given: Record<string, unknown> = { ...more };
    const shown = shownIn(visit.field(SHOWN));
    const isSame = ({ name }: Field) => shown[name] === visit.field(name).replaceAll("\r\n", "\n");
    for (const field of this.#fields.filter((one) => !one.isOwn && one.type !== "page" && !isSame(one))) {
      const [outer, inner] = field.key.split(".");
      const value = field.type === "file" ? visit.file(field.name) : readValue(field, visit.field(field.name));
      if (outer !== undefined) given[outer] = inner === undefined ? value : { ...Object(given[outer]), [inner]: value };
    }
    const operation: Operation<z.ZodType, O, PersonActor> = this.#operation;
    return once ? actOnce(visit, operation, given) : visit.call(operation, given);
  }

  /** The form; of a page about one workspace its address names it. */
  view(visit: Visit, view: View) {
    const { path, button, isPlain, acts, grid, novalidate, once, label, look = "", head, foot } = view;
    const refusal = visit.refusedAt(path);
    const all = this.#fields.map((field) => {
      const worded = { ...field, ...view.words?.[field.key] };
      return { ...worded, problem: problemOf(worded, refusal, visit) };
    });
    const isAtFields = all.some(({ problem }) => problem !== undefined);
    const said = [!isAtFields && refusal?.message, (isAtFields || refusal?.toConfirm) && this.#notDone];
    const message = said.filter((words) => words).join(" ");
    const typed = refusal !== null || view.isTyped === true ? visit : null;
    const fieldsOf = (isAsked: boolean) =>
      all.filter(({ type }) => (type === "asked") === isAsked).map((field) => fieldView(field, view, typed));
    // A box that tells of nothing stored is an order: it is sent as it stands.
    const isStored = (field: Field) => !field.isAlways && (!isBox(field) || field.key in (view.now ?? {}));
    const shown = () =>
      Object.fromEntries(this.#fields.filter(isStored).map((field) => [field.name, untouched(field, view)]));
    const body = html`
${once && onceField(visit, path)}${head}
${view.isPartial && hidden(SHOWN, (typed && visit.field(SHOWN)) || JSON.stringify(shown()))}
${message !== "" && refusalNote({ message })}
${grid === undefined ? fieldsOf(false) : gridOf(grid, fieldsOf(false))}
${foot}${fieldsOf(true)}
${refusal?.toConfirm && planConfirmation(refusal.toConfirm, button.split(" ")[0] ?? "")}
${actions(html`<button${isPlain && html` class="plain"`}>${button}</button>`, acts)}`;
    const more = [
      label !== undefined && html` aria-label="${label}"`,
      all.some(({ type }) => type === "file") && html` enctype="multipart/form-data"`,
      novalidate && html` novalidate`,
    ];
    return visit.form(path, body, { look, more });
  }
}

function gridOf(look: string, fields: readonly (Html | false)[]) {
  const cells = html`${fields.map((field) => field && html`<div>${field}</div>`)}`;
  return look === "" ? cells : html`<div class="${look}">${cells}</div>`;
}

/** The hidden field with what a form showed, by the names of its fields. */
const SHOWN = "shown";

/** What it says, by the names of the fields; nothing of a form without it. */
export function shownIn(text: unknown): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(String(text)) };
  } catch {
    return {};
  }
}

/** What a browser sends of a field that nobody changed. */
function untouched(field: Field, { now = {} }: View) {
  const value = now[field.key] ?? (field.box === undefined ? field.property.default : undefined) ?? "";
  return isBox(field) ? (value === (field.box?.[0] ?? true) ? "on" : "") : String(value);
}

const isBox = ({ box, property }: Field) => box !== undefined || property.type === "boolean";

function readValue(field: Field, typed: string) {
  const { property, type, isRequired, read } = field;
  if (read !== undefined) return read(typed);
  if (isBox(field)) return (field.box ?? [true, false])[typed === "on" ? 0 : 1];
  if (property.type === "integer") return typed.trim() === "" ? Number.NaN : Number(typed);
  const text = type === "secret" ? typed : typed.trim();
  if (text !== "") return text;
  if (!isRequired) return null;
  return field.choices === undefined ? text : undefined;
}

/** Of a day that is missing or does not exist. */
export const GIVE_A_DATE = "Give a date, such as 2026-11-30.";

/** What is said of a field's value; undefined where nothing is. */
function problemOf(field: Field, refusal: Refusal | null, visit: Visit) {
  const found = refusal?.details.find(({ field: name }) => name.replace(/\[\d+\].*$/, "") === field.key);
  if (found === undefined) return field.isBlamed && refusal?.details.length === 0 ? refusal.message : undefined;
  const typed = visit.field(field.name);
  if (field.property.format === "date" && !isPlainDate(typed)) return GIVE_A_DATE;
  const [, index] = /\[(\d+)\]$/.exec(found.field) ?? [];
  return field.say?.(found.message, typed, Number(index)) ?? sentence(found.message);
}

/** What a message says of a value, as a sentence: some are whole ones. */
export function sentence(message: string) {
  return `${capital(message) === message ? "" : "It "}${message}`.replace(/\.?$/, ".");
}

/** A field with what was typed in a visit, else with what it holds now. */
function fieldView(field: Field & { problem: string | undefined }, view: View, visit: Visit | null) {
  const { name, label, hint, type, choices, property, isRequired, attributes, problem } = field;
  if (type === "page") return false;
  const typed = visit?.field(name) ?? untouched(field, view);
  const shown = { id: view.key === undefined ? name : `${view.key}-${name}`, name, label, hint, problem };
  if (isBox(field)) {
    const isTicked = typed === "on";
    return (type !== "asked" || isTicked || problem !== undefined) && checkbox(shown, isTicked);
  }
  if (choices !== undefined) {
    const options = Object.entries(choices).map(([value, words]) => ({ value, label: words }));
    return select(shown, options, typed);
  }
  const { minimum, maximum, format } = property;
  const bounds = html`${maximum !== undefined && html` type="number" min="${minimum}" max="${maximum}"`}
${isRequired && html` required`} ${attributes ?? html`autocomplete="off"`}`;
  if (type === "secret") return secretInput(shown, bounds, { isAgain: visit !== null });
  if (type === "lines") return textarea(shown, typed, bounds);
  const kind = type ?? (format === "date" ? format : undefined);
  return input(shown, html`${kind !== undefined && html`type="${kind}" `}value="${typed}"${bounds}`);
}

/** What workflows that are on do once a form is sent, and the box that confirms it; `button` is the form's word. */
function planConfirmation({ plan, expected }: ConfirmationNeeded, button: string) {
  const { amounts, refused, messages, tasks, emails_again: again, emails_moved: moved, send_at: at, timezone } = plan;
  const link = "payment link";
  return html`<p>Workflows of this workspace are on. After this they do the following by themselves:</p>
${points([
  ...amounts.map((one) => `${counted(one.links, link)}: ${readableMoney(one.amount, one.currency)}`),
  ...refused.map(({ links, reason }) => `${counted(links, link)} refused now and tried again for a day: ${reason}`),
  again > 0 && `${counted(again, "live link")} mailed again`,
  moved > 0 && `the mails of ${counted(moved, "live link")} moved to another time`,
  at !== null && [`${counted(messages, "mail")} to customers, the first on `, timeElement(at, timezone)],
  tasks > 0 && `${counted(tasks, "task")}, with a mail each to the assignee`,
])}
${tick("confirmed", expected, `${button}, and let them do that`, "required")}`;
}
