import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "../../../src/core/kernel/json-schema.ts";
import type { Surface, ToolSurface } from "./surface.ts";

/** A change of the surface. Breaking: what worked with the release may fail, or a client's trust in it may be misplaced. */
export interface Change {
  /** Such as `list_invoices input.currency`. */
  readonly path: string;
  readonly kind: "additive" | "breaking";
  readonly what: string;
}

/** Whom a schema binds: what clients send must still be accepted, what they are answered must still be expected. */
type Side = "input" | "output";

/** Every difference between two surfaces, classed. */
export function changesBetween(before: Surface, after: Surface): Change[] {
  return namesOf(before, after).flatMap((name) => {
    const [was, is] = [before[name], after[name]];
    if (is === undefined) return [breaking(name, "tool removed")];
    if (was === undefined) return [additive(name, "tool added")];
    return [
      ...standing(name, was, is),
      ...schemaChanges(`${name} input`, was.input, is.input, "input"),
      ...schemaChanges(`${name} output`, was.output, is.output, "output"),
    ];
  });
}

const breaking = (path: string, what: string): Change => ({ path, kind: "breaking", what });
const additive = (path: string, what: string): Change => ({ path, kind: "additive", what });
const namesOf = (before: object, after: object): string[] => [
  ...new Set([...Object.keys(before), ...Object.keys(after)]),
];

/** Hints by the value that makes clients ask their person less: one they rely on must not be taken back. */
const TRUSTED = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

function standing(name: string, was: ToolSurface, is: ToolSurface): Change[] {
  const hints = (["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const)
    .filter((hint) => was.annotations[hint] !== is.annotations[hint])
    .map((hint) => {
      const toTrusted = is.annotations[hint] === TRUSTED[hint];
      return (toTrusted ? additive : breaking)(`${name} ${hint}`, `now ${is.annotations[hint]}`);
    });
  return [
    ...(was.scope === is.scope ? [] : [breaking(`${name} scope`, `${was.scope} became ${is.scope}`)]),
    ...(was.admin === is.admin ? [] : [(is.admin ? breaking : additive)(`${name} admin`, `now ${is.admin}`)]),
    ...hints,
  ];
}

/** Fewer values: breaking for what is sent, additive for what is answered. */
const narrower = (side: Side) => (side === "input" ? breaking : additive);
/** More values: the other way round. */
const wider = (side: Side) => (side === "input" ? additive : breaking);

function schemaChanges(path: string, was: JsonSchema, is: JsonSchema, side: Side): Change[] {
  return [
    ...setChanges(`${path} type`, listOf(was.type), listOf(is.type), side),
    ...enumChanges(path, was, is, side),
    ...boundChanges(path, was, is, side),
    ...propertyChanges(path, was, is, side),
    ...itemChanges(path, was, is, side),
    ...otherChanges(path, was, is),
  ];
}

const listOf = (type: JsonSchema["type"]): readonly unknown[] => (Array.isArray(type) ? type : [type]);

function setChanges(path: string, was: readonly unknown[], is: readonly unknown[], side: Side): Change[] {
  const gone = was.filter((value) => !is.includes(value));
  const come = is.filter((value) => !was.includes(value));
  return [
    ...gone.map((value) => narrower(side)(path, `no longer ${value}`)),
    ...come.map((value) => wider(side)(path, `also ${value}`)),
  ];
}

function enumChanges(path: string, was: JsonSchema, is: JsonSchema, side: Side): Change[] {
  if (was.enum === undefined && is.enum === undefined) return [];
  if (was.enum === undefined) return [narrower(side)(`${path} enum`, "limited to a list")];
  if (is.enum === undefined) return [wider(side)(`${path} enum`, "no longer limited to a list")];
  return setChanges(`${path} enum`, was.enum, is.enum, side);
}

/** Keywords that limit a value, and which way of two numbers is narrower. */
const BOUNDS = {
  minimum: 1,
  minLength: 1,
  minItems: 1,
  maximum: -1,
  maxLength: -1,
  maxItems: -1,
} as const;
const FORMS = ["format", "pattern", "additionalProperties"] as const;

function boundChanges(path: string, was: JsonSchema, is: JsonSchema, side: Side): Change[] {
  const numbers = Object.entries(BOUNDS).map(([keyword, up]) => ({
    keyword,
    difference: compared(was[keyword], is[keyword], up),
  }));
  const forms = FORMS.map((keyword) => ({ keyword, difference: formed(was[keyword], is[keyword]) }));
  return [...numbers, ...forms].flatMap(({ keyword, difference }) => {
    if (difference === "same") return [];
    const classed = { narrower: narrower(side), wider: wider(side), other: breaking }[difference];
    return [classed(`${path} ${keyword}`, `${String(was[keyword])} became ${String(is[keyword])}`)];
  });
}

type Difference = "same" | "narrower" | "wider" | "other";

function compared(was: unknown, is: unknown, up: 1 | -1): Difference {
  if (typeof was !== "number" || typeof is !== "number") return formed(was, is);
  if (was === is) return "same";
  return is * up > was * up ? "narrower" : "wider";
}

/** A limit that comes or goes, or that is another: then no value is sure to be within both. */
function formed(was: unknown, is: unknown): Difference {
  if (was === is) return "same";
  if (was === undefined) return "narrower";
  return is === undefined ? "wider" : "other";
}

function propertyChanges(path: string, was: JsonSchema, is: JsonSchema, side: Side): Change[] {
  const [before, after] = [was.properties ?? {}, is.properties ?? {}];
  const [needed, needs] = [new Set(was.required), new Set(is.required)];
  return namesOf(before, after).flatMap((name) => {
    const at = `${path}.${name}`;
    const [old, now] = [before[name], after[name]];
    // What is sent under a name that is unknown is refused, and what is read under it is missing.
    if (now === undefined) return [breaking(at, "removed")];
    if (old === undefined)
      return [side === "input" && needs.has(name) ? breaking(at, "added, and required") : additive(at, "added")];
    const demand =
      needed.has(name) === needs.has(name)
        ? []
        : [
            (needs.has(name) ? narrower : wider)(side)(
              `${at} required`,
              needs.has(name) ? "now required" : "now optional",
            ),
          ];
    return [...demand, ...schemaChanges(at, old, now, side)];
  });
}

function itemChanges(path: string, { items: was }: JsonSchema, { items: is }: JsonSchema, side: Side): Change[] {
  if (was === undefined && is === undefined) return [];
  if (was === undefined || is === undefined) return [breaking(`${path}[]`, "items appeared or went")];
  return schemaChanges(`${path}[]`, was, is, side);
}

const CLASSED = new Set([
  "type",
  "enum",
  ...Object.keys(BOUNDS),
  ...FORMS,
  "properties",
  "required",
  "items",
  "description",
]);

/** A change that nobody has thought about, such as of a default, counts as breaking. */
function otherChanges(path: string, was: JsonSchema, is: JsonSchema): Change[] {
  return namesOf(was, is)
    .filter((keyword) => !CLASSED.has(keyword) && !isDeepStrictEqual(was[keyword], is[keyword]))
    .map((keyword) =>
      breaking(`${path} ${keyword}`, `${JSON.stringify(was[keyword])} became ${JSON.stringify(is[keyword])}`),
    );
}
