/** A word (lower case), a sign, a value (`?`) or what is between brackets. */
export type Token = string | Group;

/** What is between two brackets. */
export interface Group {
  readonly inside: readonly Token[];
}

const LEXEME =
  /\s+|--[^\n]*|'(?:[^']|'')*'|\$\d+|\d+(?:\.\d+)?|"(?<quoted>[^"]+)"|(?<word>[A-Za-z_][A-Za-z0-9_]*)|(?<sign>::|<>|<=|>=|\|\||[-+*/%<>=.,;:[\]~!#?&|^@])|(?<open>\()|(?<close>\))/gy;

/** A statement as words and brackets; values and placeholders are all `?`. */
export function tokensOf(sql: string): readonly Token[] {
  const open: Token[][] = [[]];
  LEXEME.lastIndex = 0;
  while (LEXEME.lastIndex < sql.length) {
    const start = LEXEME.lastIndex;
    const found = LEXEME.exec(sql);
    if (found === null) throw new Error(`not a token: ${sql.slice(start, start + 40)}`);
    const { quoted, word, sign, open: opened, close } = found.groups ?? {};
    const now = open.at(-1) ?? [];
    if (opened !== undefined) open.push([]);
    else if (close !== undefined) {
      open.pop();
      open.at(-1)?.push({ inside: now });
    } else if (quoted !== undefined) now.push(quoted);
    else if (word !== undefined) now.push(word.toLowerCase());
    else if (sign !== undefined) now.push(sign);
    else if (/^[$'\d]/.test(found[0])) now.push("?");
  }
  return open[0] ?? [];
}

/** Without casts, which say nothing of where a value comes from. */
export function withoutCasts(tokens: readonly Token[]): readonly Token[] {
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    if (tokens[at] !== "::") kept.push(tokens[at] ?? "");
    else {
      at += 1;
      if (tokens[at + 1] === "[" && tokens[at + 2] === "]") at += 2;
    }
  }
  return kept;
}

export const isGroup = (token: Token | undefined): token is Group => typeof token === "object";
