import type { z } from "zod";
import type { ErrorDetail } from "../../core/kernel/error.ts";
import { type JsonSchema, schemaOfInput } from "../../core/kernel/json-schema.ts";
import { parameterTypes, readQuery } from "../../http/query.ts";
import { actions, hidden, html, input, inWords, link, select } from "../kit/markup.ts";
import { GIVE_A_DATE, WORKSPACE, type WorkspaceVisit } from "../kit/page.ts";

/** Labels of a list's filters; names and values without a label are shown as words, an id as what it is of. */
export interface FilterWords {
  /** The filters that are always shown, in this order; the others are under "More filters". */
  readonly first: readonly string[];
  /** Parameters that have no effect on this list. */
  readonly without?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, string>>;
}

/** Parameters of the API's lists that a page sets itself. */
const OF_PAGING = new Set(["limit", "cursor", "include_total", "include", "limit_per_currency"]);

/** Labels that are the same in every list. */
const LABELS: Readonly<Record<string, string>> = {
  search: "Number or customer",
  updated_since: "Changed since",
  connection_id: "ERP connection",
  order: "Sort",
};

/** Labels of values that are the same in every list. */
const VALUES: Readonly<Record<string, string>> = {
  true: "Yes",
  false: "No",
  asc: "Oldest first",
  desc: "Newest first",
};

/** One filter, as the operation's schema declares it. */
interface Filter {
  readonly name: string;
  readonly label: string;
  readonly kind: "choice" | "date" | "money" | "text" | "id";
  readonly choices: readonly { value: string; label: string }[];
  readonly maxLength: number | undefined;
  /** What holds where nothing is given; empty where that is every value. */
  readonly initial: string;
}

/** The filters and sorts of a list, read off its operation's input. */
export class Filters {
  readonly #schema: z.ZodObject;
  readonly #words: FilterWords;
  readonly #filters: readonly Filter[];

  constructor(schema: z.ZodObject, words: FilterWords) {
    this.#schema = schema;
    this.#words = words;
    this.#filters = Object.entries(schemaOfInput(schema).properties ?? {})
      .filter(([name]) => !OF_PAGING.has(name) && words.without?.includes(name) !== true)
      .map(([name, property]) => this.#filterOf(name, property));
  }

  /** The filters and the cursor in an address. Throws `validation_failed`. */
  read(search: string) {
    const ours = search
      .split("&")
      .filter((pair) => !/^([^=]*=?|workspace=.*|limit=.*|include_total=.*)$/.test(pair))
      .map((pair) => (pair.startsWith("currency=") ? pair.toUpperCase().replace("CURRENCY", "currency") : pair));
    const { cursor, ...filters } = readQuery(ours.join("&"), parameterTypes(this.#schema), () => null);
    return { filters, cursor: typeof cursor === "string" ? cursor : null };
  }

  /** What rows are filtered and sorted by, in words; empty for nothing. */
  inWords(values: Given["values"], chip: Given["chip"]) {
    const words = this.#filters.map(({ name, label, kind, choices }) => {
      const value = String(values[name] ?? "");
      const chosen = kind === "id" && chip(name);
      return value !== "" && `${label}: ${chosen || (choices.find((one) => one.value === value)?.label ?? value)}`;
    });
    return words.filter((one) => one !== false).join("; ");
  }

  /** The form; `chips` name the objects whose ids the list is filtered by. */
  form(path: string, { address, workspace, workspaces }: WorkspaceVisit, { values, problems, chip }: Given) {
    const problemOf = ({ name, kind }: Filter) => {
      const found = problems.find(({ field }) => field === name);
      const other = this.#filters.find((filter) => filter.name === found?.crosses);
      if (other) return `No day lies between this and “${other.label}”.`;
      return found && (kind === "date" ? GIVE_A_DATE : `It ${found.message}.`);
    };
    const isSet = ({ name }: Filter) => values[name] !== undefined;
    const fields = this.#filters.filter(({ kind }) => kind !== "id");
    const first = this.#words.first.flatMap((name) => fields.filter((filter) => filter.name === name));
    const others = fields.filter((filter) => !first.includes(filter));
    const isOpen = others.some((filter) => isSet(filter) || problemOf(filter) !== undefined);
    const ids = this.#filters.filter((filter) => filter.kind === "id" && isSet(filter));
    const show = (filter: Filter) =>
      html`<div class="${filter.kind}">${fieldView(filter, values[filter.name], problemOf(filter))}</div>`;
    const more = html`<details${isOpen && html` open`}><summary>More filters</summary>\
<div class="more">${others.map(show)}</div></details>`;
    const chips = ids.map(({ name, label }) => {
      const without = address(path, { ...asQuery(values), [name]: null });
      const remove = link(without, "✕", html` aria-label="Remove the filter by ${label.toLowerCase()}"`);
      return html`<span class="chip plain">${label}: ${chip(name) ?? "one"} ${remove}</span>`;
    });
    return html`<form class="filters" method="get" action="${path}" aria-label="Filters">
${workspaces.length > 1 && hidden(WORKSPACE, workspace.tenantId)}
${ids.map(({ name }) => hidden(name, String(values[name])))}
${first.map(show)}
${others.length > 0 && more}
${actions(html`<button>Apply</button>`, this.#filters.some(isSet) && link(address(path), "Clear all"))}
</form>
${ids.length > 0 && html`<p class="chips">${chips}</p>`}`;
  }

  #filterOf(name: string, property: JsonSchema): Filter {
    const { labels = {}, values = {} } = this.#words;
    const label = labels[name] ?? LABELS[name] ?? inWords(name.replace(/_(id|key)$/, "").replace(/_to$/, "_until"));
    const { maxLength } = property;
    const initial = property.default === undefined ? "" : String(property.default);
    const wordsOf = (value: string) => values[value] ?? VALUES[value] ?? inWords(value);
    const chosen = (given: readonly string[]): Filter => {
      const choices = given.map((value) => ({ value, label: wordsOf(value) }));
      const any = property.default === undefined || given.length < 2 ? [{ value: "", label: "Any" }] : [];
      return { name, label, kind: "choice", maxLength, initial, choices: [...any, ...choices] };
    };
    if (property.enum !== undefined) return chosen(property.enum.map(String));
    if (property.type === "boolean") return chosen(property.default === undefined ? ["true", "false"] : ["true"]);
    const kind = /_(id|key)$/.test(name)
      ? "id"
      : property.format === "date" || /_(since|before|send_from)$/.test(name)
        ? "date"
        : name.startsWith("min_")
          ? "money"
          : "text";
    return { name, label, kind, maxLength, initial, choices: [] };
  }
}

interface Given {
  values: Readonly<Record<string, unknown>>;
  problems: readonly ErrorDetail[];
  /** The name of the object that an id filter selects; null if it is unknown. */
  chip(name: string): string | null;
}

function fieldView({ name, label, kind, choices, maxLength, initial }: Filter, given: unknown, problem?: string) {
  const value = String(given ?? initial);
  const field = { id: `filter-${name}`, name, label, problem };
  if (kind === "choice") return select(field, choices, value);
  const isDay = kind === "date" && (value === "" || /^\d{4}-\d\d-\d\d$/.test(value));
  const type = isDay ? html`type="date"` : name === "search" ? html`type="search"` : html`type="text"`;
  const bound = maxLength !== undefined && html` maxlength="${maxLength}"`;
  const mode = kind === "money" && html` inputmode="decimal"`;
  return input(field, html`${type} value="${value}"${mode}${bound} autocomplete="off"`);
}

/** Filters as parameters of an address. */
export function asQuery(values: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
