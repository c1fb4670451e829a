declare global {
  /** ECMAScript's source text access for JSON, which TypeScript's library does not declare yet. */
  interface JSON {
    parse(
      text: string,
      reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
    rawJSON(text: string): RawJson;
    isRawJSON(value: unknown): value is RawJson;
  }
}

/** A JSON value kept as the digits it was written with. */
export interface RawJson {
  readonly rawJSON: string;
}

/**
 * Parses JSON without ever making a JavaScript number: each number becomes what `fromDigits` makes of its source text,
 * so that 18-digit ids and decimals arrive as they were sent. Throws SyntaxError, or RangeError on absurd nesting.
 */
export function parseLossless(text: string, fromDigits: (digits: string) => unknown) {
  return JSON.parse(text, (_key, value, context) =>
    typeof value === "number" && context.source !== undefined ? fromDigits(context.source) : value,
  );
}
