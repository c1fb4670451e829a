import { z } from "zod";

type Test = (value: unknown) => boolean;

const never: Test = () => false;

/**
 * Parses what an operation answers, as its schema does. What is already as the schema would make it, as it nearly always
 * is, is only looked at, which takes a tenth of the time; anything else is parsed, and so refused in the schema's words.
 */
export function outputCheck<O extends z.ZodType>(schema: O): (value: z.input<O>) => z.output<O> {
  const test = testOf(schema);
  const fits = (value: unknown): value is z.output<O> => test(value);
  return (value) => (fits(value) ? value : schema.parse(value));
}

/**
 * Whether parsing a value would give that very value. Of a schema of a kind that no operation answers with it says no to
 * whatever there is.
 */
export function testOf(schema: z.core.$ZodType): Test {
  const checks = schema._zod.def.checks ?? [];
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return stringTest(schema, checks);
  if (schema instanceof z.ZodNumberFormat && schema.format === "safeint") return integerTest(checks);
  return checks.length === 0 ? plainTest(schema) : never;
}

function plainTest(schema: z.core.$ZodType): Test {
  if (schema instanceof z.ZodObject) return objectTest(schema);
  if (schema instanceof z.ZodArray) {
    const element = testOf(schema.element);
    return (value) => Array.isArray(value) && value.every(element);
  }
  if (schema instanceof z.ZodNullable) {
    const inner = testOf(schema.unwrap());
    return (value) => value === null || inner(value);
  }
  if (schema instanceof z.ZodOptional) {
    const inner = testOf(schema.unwrap());
    return (value) => value === undefined || inner(value);
  }
  if (schema instanceof z.ZodEnum) return oneOf(schema.options);
  if (schema instanceof z.ZodLiteral) return oneOf(schema.values);
  return schema instanceof z.ZodBoolean ? (value) => typeof value === "boolean" : never;
}

function oneOf(values: Iterable<unknown>): Test {
  const options = new Set(values);
  return (value) => options.has(value);
}

/**
 * Written once for each schema: its own code knows where an object of its own has its fields, where a loop over names, which
 * all schemas would share, looks up each name of each object.
 */
function objectTest(schema: z.ZodObject): Test {
  if (!(schema.def.catchall instanceof z.ZodNever)) return never;
  const names = Object.keys(schema.shape);
  const tests = Object.values(schema.shape).map(testOf);
  const lines = names.map((name, index) => {
    const held = `held${index}`;
    return `const ${held} = value[${JSON.stringify(name)}];
      if (!test${index}(${held})) return false;
      if (${held} !== undefined) others -= 1;`;
  });
  const make = new Function(
    ...tests.map((_, index) => `test${index}`),
    `return (value) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
      let others = 0;
      for (const name in value) others += 1;
      ${lines.join("\n")}
      return others === 0;
    };`,
  );
  return make(...tests);
}

function integerTest(checks: readonly z.core.$ZodCheck<never>[]): Test {
  let [least, most] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  for (const check of checks) {
    const isBound = check instanceof z.core.$ZodCheckGreaterThan || check instanceof z.core.$ZodCheckLessThan;
    const bound = isBound && check._zod.def.inclusive ? Number(check._zod.def.value) : Number.NaN;
    if (check instanceof z.core.$ZodCheckGreaterThan) least = Math.max(least, bound);
    else most = Math.min(most, bound);
  }
  // A bound that is none compares with nothing.
  return (value) => Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

function stringTest(schema: z.ZodString | z.ZodStringFormat, checks: readonly z.core.$ZodCheck<never>[]): Test {
  const own = schema instanceof z.ZodStringFormat ? schema._zod.def.pattern : undefined;
  const [first, ...rest] = [...(own === undefined ? [] : [matching(own)]), ...checks.map(checkTest)];
  if (first === undefined) return (value) => typeof value === "string";
  return (value) => typeof value === "string" && first(value) && rest.every((test) => test(value));
}

function checkTest(check: z.core.$ZodCheck<never>): (text: string) => boolean {
  if (check instanceof z.core.$ZodCheckRegex) return matching(check._zod.def.pattern);
  if (check instanceof z.core.$ZodCheckLengthEquals) {
    const { length } = check._zod.def;
    return (text) => text.length === length;
  }
  if (check instanceof z.core.$ZodCheckOverwrite) {
    const { tx } = check._zod.def;
    return (text) => tx(text) === text;
  }
  if (check instanceof z.ZodCustom) {
    const { fn } = check._zod.def;
    return (text) => fn(text) === true;
  }
  return never;
}

function matching(pattern: RegExp): (text: string) => boolean {
  // One that is global or sticky remembers where it was.
  if (pattern.global || pattern.sticky) return never;
  const written = new RegExp(writtenOut(pattern.source), pattern.flags);
  return (text) => written.test(text);
}

/**
 * The same pattern without counts such as `[0-9a-f]{8}`: counting costs several times what writing out does. Where a
 * backslash stands, what looks like a class may be none: such a pattern stays as it is.
 */
function writtenOut(source: string): string {
  if (source.includes("\\")) return source;
  return source.replace(/(\[[^\]]+\])\{(\d+)\}(?!\?)/g, (_, kind: string, times: string) => kind.repeat(Number(times)));
}
