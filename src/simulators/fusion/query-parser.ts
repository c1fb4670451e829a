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
  return new Parser(tokensOf(text), frameworkVersion === 1).parse();
}

const isWord = (token: Token, word: string): boolean => token.kind === "word" && token.text.toLowerCase() === word;
const isSign = (token: Token, sign: string): boolean => token.kind === "sign" && token.text === sign;

class Parser {
  readonly #tokens: readonly Token[];
  readonly #joinsBySemicolon: boolean;
  #next = 0;

  constructor(tokens: readonly Token[], joinsBySemicolon: boolean) {
    this.#tokens = tokens;
    this.#joinsBySemicolon = joinsBySemicolon;
  }

  parse(): Condition {
    const condition = this.#expression(0);
    const { kind, text } = this.#peek();
    if (kind !== "end") throw new QueryError(`"${text}" is not expected`);
    return condition;
  }

  #peek(): Token {
    return this.#tokens[this.#next] ?? END;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next += 1;
    return token;
  }

  #takeSign(sign: string): void {
    if (!isSign(this.#take(), sign)) throw new QueryError(`"${sign}" is missing`);
  }

  #literal(): Literal {
    const { kind, text } = this.#take();
    if (kind === "quoted" || kind === "number") return { text, quoted: kind === "quoted" };
    throw new QueryError("a value is missing");
  }

  #list(): Literal[] {
    this.#takeSign("(");
    const values = [this.#literal()];
    while (isSign(this.#peek(), ",")) {
      this.#take();
      values.push(this.#literal());
    }
    this.#takeSign(")");
    return values;
  }

  #comparison(): Condition {
    const { kind, text: attribute } = this.#take();
    if (kind !== "word") throw new QueryError("an attribute is missing");
    const token = this.#take();
    if (isWord(token, "in")) return { kind: "in", attribute, values: this.#list() };
    if (isWord(token, "like")) return { kind: "like", attribute, pattern: this.#literal().text };
    if (isWord(token, "is")) {
      const negated = isWord(this.#peek(), "not");
      if (negated) this.#take();
      if (!isWord(this.#take(), "null")) throw new QueryError("null is missing");
      return { kind: "null", attribute, negated };
    }
    const operator = OPERATORS.find((known) => isSign(token, known));
    if (operator === undefined) throw new QueryError("an operator is missing");
    return { kind: "compare", attribute, operator, value: this.#literal() };
  }

  #primary(depth: number): Condition {
    if (depth > MAX_DEPTH) throw new QueryError("it is nested too deeply");
    if (!isSign(this.#peek(), "(")) return this.#comparison();
    this.#take();
    const inner = this.#expression(depth + 1);
    this.#takeSign(")");
    return inner;
  }

  #expression(depth: number): Condition {
    return this.#joined("or", () => this.#joined("and", () => this.#primary(depth)));
  }

  #joined(kind: "and" | "or", part: () => Condition): Condition {
    const of = [part()];
    while (this.#isJoint(kind)) {
      this.#take();
      of.push(part());
    }
    const [only] = of;
    return of.length === 1 && only !== undefined ? only : { kind, of };
  }

  #isJoint(kind: "and" | "or"): boolean {
    const token = this.#peek();
    return isWord(token, kind) || (kind === "and" && this.#joinsBySemicolon && isSign(token, ";"));
  }
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
