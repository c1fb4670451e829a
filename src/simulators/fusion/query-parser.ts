/** A value in a `q`; `quoted` tells `'5'` from `5`. */
export interface Literal {
  readonly text: string;
  readonly quoted: boolean;
}

/** What a `q` asks for. */
export type Condition =
  | { readonly kind: "and" | "or"; readonly of: readonly Condition[] }
  | { readonly kind: "compare"; readonly attribute: string; readonly operator: Operator; readonly value: Literal }
  | { readonly kind: "in"; readonly attribute: string; readonly values: readonly Literal[] }
  | { readonly kind: "like"; readonly attribute: string; readonly pattern: string }
  | { readonly kind: "null"; readonly attribute: string; readonly negated: boolean };

const OPERATORS = ["=", "!=", "<>", "<=", ">=", "<", ">"] as const;
/** A comparison. */
export type Operator = (typeof OPERATORS)[number];

/** A `q` that cannot be read. */
export class QueryError extends Error {}

interface Token {
  readonly kind: "word" | "number" | "quoted" | "sign" | "end";
  readonly text: string;
}

const TOKEN =
  /\s*(?:'((?:[^']|'')*)'|"((?:[^"]|"")*)"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])|([A-Za-z_]\w*)|(!=|<>|<=|>=|[=<>(),;]))/y;
const MAX_DEPTH = 50;

/**
 * Parses the row-match grammar of framework version 2 and later: comparisons, `in (…)`, `like`, `is [not] null`, joined
 * by `and` and `or` (`and` binds tighter) and parentheses. In version 1 conditions are joined by `;` as well.
 */
export function parseQuery(text: string, frameworkVersion: number): Condition {
  const tokens = tokensOf(text);
  let next = 0;
  const peek = () => tokens[next] ?? END;
  const take = () => tokens[next++] ?? END;
  const isWord = (token: Token, word: string) => token.kind === "word" && token.text.toLowerCase() === word;

  function expectSign(sign: string): void {
    const token = take();
    if (token.kind !== "sign" || token.text !== sign) throw new QueryError(`"${sign}" is missing`);
  }

  function literal(): Literal {
    const token = take();
    if (token.kind === "quoted" || token.kind === "number")
      return { text: token.text, quoted: token.kind === "quoted" };
    throw new QueryError("a value is missing");
  }

  function list(): Literal[] {
    expectSign("(");
    const values = [literal()];
    while (peek().text === "," && peek().kind === "sign") {
      take();
      values.push(literal());
    }
    expectSign(")");
    return values;
  }

  function comparison(): Condition {
    const name = take();
    if (name.kind !== "word") throw new QueryError("an attribute is missing");
    const attribute = name.text;
    const token = take();
    if (isWord(token, "in")) return { kind: "in", attribute, values: list() };
    if (isWord(token, "like")) return { kind: "like", attribute, pattern: literal().text };
    if (isWord(token, "is")) {
      const negated = isWord(peek(), "not");
      if (negated) take();
      if (!isWord(take(), "null")) throw new QueryError("null is missing");
      return { kind: "null", attribute, negated };
    }
    const operator = OPERATORS.find((known) => token.kind === "sign" && known === token.text);
    if (operator === undefined) throw new QueryError("an operator is missing");
    return { kind: "compare", attribute, operator, value: literal() };
  }

  function joined(kind: "and" | "or", part: (depth: number) => Condition, depth: number): Condition {
    const joins = () =>
      isWord(peek(), kind) ||
      (kind === "and" && frameworkVersion === 1 && peek().kind === "sign" && peek().text === ";");
    const first = part(depth);
    if (!joins()) return first;
    const of = [first];
    while (joins()) {
      take();
      of.push(part(depth));
    }
    return { kind, of };
  }

  function primary(depth: number): Condition {
    if (depth > MAX_DEPTH) throw new QueryError("it is nested too deeply");
    if (peek().kind !== "sign" || peek().text !== "(") return comparison();
    take();
    const inner = expression(depth + 1);
    expectSign(")");
    return inner;
  }

  function expression(depth: number): Condition {
    return joined("or", (level) => joined("and", primary, level), depth);
  }

  const condition = expression(0);
  if (peek().kind !== "end") throw new QueryError(`"${peek().text}" is not expected`);
  return condition;
}

const END: Token = { kind: "end", text: "" };

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const scanner = new RegExp(TOKEN);
  const end = text.trimEnd().length;
  while (scanner.lastIndex < end) {
    const match = scanner.exec(text);
    if (match === null) throw new QueryError("it has a sign that is not understood");
    const [, single, double, number, word, sign] = match;
    if (single !== undefined) tokens.push({ kind: "quoted", text: single.replaceAll("''", "'") });
    else if (double !== undefined) tokens.push({ kind: "quoted", text: double.replaceAll('""', '"') });
    else if (number !== undefined) tokens.push({ kind: "number", text: number });
    else if (word !== undefined) tokens.push({ kind: "word", text: word });
    else if (sign !== undefined) tokens.push({ kind: "sign", text: sign });
  }
  return tokens;
}
