import { StripeFault } from "./answers.ts";

/** A form's value: text, or a group of named values. */
export type FormValue = string | { [name: string]: FormValue };

const NAME = /^[^[\]]+(\[[^[\]]+\])*$/;
const MAX_DEPTH = 8;

/** Reads `a[b][0]=c` as Stripe does: groups by name, lists by number. Throws a fault for a name that is malformed. */
export function parseForm(text: string): { [name: string]: FormValue } {
  const form: { [name: string]: FormValue } = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) put(form, name, value);
  return form;
}

function put(form: { [name: string]: FormValue }, name: string, value: string): void {
  const path = name.split("[").map((part) => part.replace(/\]$/, ""));
  const last = path.pop();
  if (last === undefined || !NAME.test(name) || path.length > MAX_DEPTH)
    throw new StripeFault(`Invalid parameter name: ${name}`, { param: name });
  let group = form;
  for (const part of path) {
    const inner = group[part] ?? Object.create(null);
    if (typeof inner === "string") throw new StripeFault("Invalid hash", { param: name });
    group[part] = inner;
    group = inner;
  }
  if (group[last] !== undefined) throw new StripeFault("Duplicate parameter", { param: name });
  group[last] = value;
}

/** Makes lists of the groups whose names are 0, 1, 2 …, for a schema to check. */
export function withLists(value: FormValue): unknown {
  if (typeof value === "string") return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withLists(inner)] as const);
  const isList = entries.length > 0 && entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
