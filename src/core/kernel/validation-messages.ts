import { z } from "zod";
import { habitsOf, nearest } from "./nearest-name.ts";
import { cleanText } from "./text.ts";

type Code = z.core.$ZodIssue["code"];
type Found = z.core.$ZodRawIssue;
type FoundBy = { [C in Code]: Extract<Found, { code: C }> };

/** Characters of a caller's own text that are shown back. */
const SHOWN_LENGTH = 60;
/** Up to this many names are listed; of more, only the nearest. */
const LISTED = 24;

/**
 * What is wrong and what would be right, for every issue of zod (completions §10): the rest of a sentence that begins with
 * the field. A schema's own message wins. Input is shown back only where it cannot be a secret.
 */
const SENTENCES: { readonly [C in Code]: (issue: FoundBy[C], isInQuery: boolean) => string } = {
  invalid_type: ({ input, expected, inst, path = [] }, isInQuery) => {
    const format = inst instanceof z.core.$ZodStringFormat ? FORMATS.get(inst._zod.def.format) : undefined;
    if (format !== undefined) return formatWords(format, { input, path, isInQuery });
    const kind = inst instanceof z.ZodNumberFormat ? `a whole number${rangeOf(inst)}` : KINDS.get(expected);
    const words = kind ?? "of another kind";
    return input === undefined ? `must be given: ${words}` : `must be ${words}, not ${shown(input)}`;
  },
  too_small: ({ origin, minimum, inclusive, input }) => {
    if (Number(minimum) === 1 && COUNTED.has(origin)) return "must not be empty";
    return bound(inclusive === false ? "more than" : "at least", String(minimum), origin, input);
  },
  too_big: ({ origin, maximum, inclusive, input }) =>
    bound(inclusive === false ? "less than" : "at most", String(maximum), origin, input),
  invalid_format: ({ format, input, path = [] }, isInQuery) => {
    const words = FORMATS.get(format);
    return words === undefined
      ? "is not in the form that it must have"
      : formatWords(words, { input, path, isInQuery });
  },
  invalid_value: ({ values, input }) => {
    const names = values.map(String);
    return input === undefined ? `must be given: ${oneOfNames(names)}` : `must be ${choice(names, input)}`;
  },
  not_multiple_of: ({ divisor, input }) => `must be a multiple of ${divisor}, not ${shown(input)}`,
  unrecognized_keys: ({ keys }) => `has unknown fields: ${keys.slice(0, LISTED).map(named).join(", ")}`,
  invalid_union: () => "has none of the forms that it can have",
  invalid_key: () => "has a name that it cannot have",
  invalid_element: () => "holds something that it cannot hold",
  custom: () => "is not valid",
};

const KINDS: ReadonlyMap<string, string> = new Map([
  ["string", "text"],
  ["number", "a number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["tuple", "a list"],
  ["object", "an object"],
  ["record", "an object"],
  ["null", "null"],
  ["date", "a date"],
]);

const COUNTED: ReadonlyMap<string, string> = new Map([
  ["string", "characters"],
  ["array", "items"],
  ["set", "items"],
]);

/** What stood, or did not stand, where text of a form is wanted. */
interface Place {
  readonly input: unknown;
  readonly path: readonly PropertyKey[];
  /** A query turns a plus sign that is not written %2B into a blank; no other place does. */
  readonly isInQuery: boolean;
}

interface Format {
  /** What would be right. */
  readonly right: (place: Place) => string;
  /** Says where it is found, after the value that was given. */
  readonly hint?: (place: Place) => string;
  /** What was given can be a secret. */
  readonly isHidden?: true;
}

const ID: Format = { right: () => "an id (a UUID)", hint: whereIdIs };

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ["guid", ID],
  ["uuid", ID],
  ["datetime", { right: dateTimeWords, hint: plusHint }],
  ["instant_or_day", { right: instantOrDayWords, hint: plusHint }],
  ["url", { right: () => "an address such as https://example.com", isHidden: true }],
  ["email", { right: () => "an email address such as jo@example.com", isHidden: true }],
]);

/** One sentence for text in a wrong form, for what is no text, and for what was left out. */
function formatWords({ right, hint, isHidden }: Format, place: Place) {
  const after = hint?.(place) ?? "";
  if (place.input === undefined) return `must be given, as ${right(place)}${after}`;
  return isHidden ? `must be ${right(place)}` : `must be ${right(place)}, not ${shown(place.input)}${after}`;
}

/** The bounds of a whole number, where it has its own. */
function rangeOf({ minValue, maxValue }: z.ZodNumberFormat) {
  const [from, to] = [Number(minValue), Number(maxValue)];
  return Number.isSafeInteger(from - 1) && Number.isSafeInteger(to + 1) ? ` from ${from} to ${to}` : "";
}

/** Where each id is found, by the field that wants it. */
const WHERE_IDS_ARE: Readonly<Record<string, string>> = {
  invoice_id: "look it up by `invoice_number` in the list of invoices, and take its `id`",
  installment_id: "the invoice, read by its id, lists its `installments` with theirs",
  customer_id: "find the customer by `search` in aging by customer, and take `customer_id`",
  connection_id: "the list of ERP connections has it",
  payment_link_id: "the list of payment links has it",
  payment_ids: "the list of payments has it",
  sync_run_id: "the list of sync runs has it",
  task_id: "the list of tasks has it",
  workflow_id: "the list of workflows has it",
};

function whereIdIs({ path }: Place) {
  const field = path.findLast((part) => typeof part === "string") ?? "";
  const where = WHERE_IDS_ARE[snakeCase(field)];
  return where === undefined ? "" : `: ${where}`;
}

/** An offset's plus sign arrives as a blank where it was not written %2B. */
const PLUS_LOST = /T[\d:.]+ \d\d:?\d\d$/;
/** Everything is there: what is wrong is a number. */
const WHOLE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

function isPlusLost({ input, isInQuery }: Place) {
  return isInQuery && typeof input === "string" && PLUS_LOST.test(input);
}

function dateTimeWords(place: Place) {
  const { input, isInQuery } = place;
  if (typeof input === "string" && WHOLE.test(input)) return "a day, an hour and an offset that exist";
  const forms = "2026-11-01T08:00:00Z or 2026-11-01T08:00:00+02:00";
  if (isPlusLost(place)) return `a date-time such as ${forms}`;
  return `a date-time with its offset, such as ${forms}${isInQuery ? " (in a query, + is written %2B)" : ""}`;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

function instantOrDayWords(place: Place) {
  const { input } = place;
  if (typeof input === "string" && DAY.test(input)) return "a day that exists";
  const words = dateTimeWords(place);
  return typeof input === "string" && WHOLE.test(input) ? words : `${words}, or a day such as 2026-11-01`;
}

function plusHint(place: Place): string {
  return isPlusLost(place) ? ": in a query, write the + as %2B" : "";
}

function bound(how: string, limit: string, origin: string, input: unknown) {
  const counted = COUNTED.get(origin);
  if (counted === undefined) return `must be ${how} ${limit}, not ${shown(input)}`;
  const count = typeof input === "string" || Array.isArray(input) ? `, not ${input.length}` : "";
  return `must have ${how} ${limit} ${counted}${count}`;
}

function choice(names: readonly string[], input: unknown) {
  const near = typeof input === "string" ? nearest(input, names) : null;
  const hint = near === null ? "" : `: the nearest is ${named(near)}`;
  return names.length > LISTED && near !== null
    ? `one of ${names.length} names, not ${shown(input)}${hint}`
    : `${oneOfNames(names)}, not ${shown(input)}${hint}`;
}

/** Names as a sentence lists them: `a`, `b` or `c`. */
export function oneOfNames(names: readonly string[]) {
  const marked = names.map(named);
  return marked.length < 2 ? marked.join("") : `${marked.slice(0, -1).join(", ")} or ${marked.at(-1)}`;
}

function named(name: string) {
  return `\`${shortened(name)}\``;
}

/** A caller's own value as they are told of it: cleaned and short, so that nothing hides in it. */
export function shown(value: unknown) {
  if (typeof value === "string") return JSON.stringify(withBlanks(value));
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return value === undefined ? "left out" : value === null ? "null (leave out what is not meant)" : String(value);
}

/** A blank at either end can be all that is wrong. */
function withBlanks(text: string) {
  const clean = shortened(text);
  return clean === "" ? "" : `${/^ /.test(text) ? " " : ""}${clean}${/ $/.test(text) ? " " : ""}`;
}

function shortened(text: string) {
  const clean = cleanText(text, SHOWN_LENGTH) ?? "";
  return clean.length < text.trim().length && clean.length >= SHOWN_LENGTH ? `${clean}…` : clean;
}

/**
 * Of a field that nobody knows: the nearest that is, who else takes it, or all that are known. Who is told what the
 * field is usually called here needs no other place.
 */
export function unknownFieldWords(
  name: string,
  known: readonly string[],
  { elsewhere }: { elsewhere?: ((name: string, near: string | null) => string | null) | undefined } = {},
) {
  const near = nearest(name, known);
  const isUsual = near !== null && habitsOf(name).includes(near);
  const hints = [
    near === null ? null : `the nearest is \`${near}\``,
    isUsual ? null : (elsewhere?.(name, near) ?? null),
  ].filter((hint) => hint !== null);
  if (hints.length > 0) return `is not a known field: ${hints.join("; ")}`;
  if (known.length === 0) return "is not a known field: none is taken here";
  return `is not a known field: known are ${known.slice(0, LISTED).join(", ")}`;
}

/** `invoiceId` in a path is `invoice_id` everywhere else. */
export function snakeCase(name: string) {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function say<C extends Code>(code: C, issue: FoundBy[C], isInQuery: boolean) {
  return SENTENCES[code](issue, isInQuery);
}

/** For zod's `error`, wherever a caller, an operator or a person reads what was found: none of its words are the library's. */
export function inOurWords(issue: Found) {
  return say(issue.code, issue, false);
}

/** The same for what stood in a query string, where some signs are written in another way. */
export function inOurWordsOfAQuery(issue: Found) {
  return say(issue.code, issue, true);
}
