/** Fields of an object that came from outside. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field that is a text; undefined where it is anything else. */
export function textField(fields: unknown, name: string): string | undefined {
  const value = isFields(fields) ? fields[name] : undefined;
  return typeof value === "string" ? value : undefined;
}
