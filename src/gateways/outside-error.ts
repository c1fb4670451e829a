/** A failed call to another system. `message` is for the log and may quote that system; it holds no credentials. */
export class OutsideError<Kind extends string> extends Error {
  readonly kind: Kind;
  /** Safe to show to any caller: the service's words only, nothing the other system wrote. */
  readonly publicMessage: string;

  constructor(kind: Kind, publicMessage: string, detail = "") {
    super(detail === "" ? publicMessage : `${publicMessage} (${detail})`);
    this.kind = kind;
    this.publicMessage = publicMessage;
  }
}

const MAX_LENGTH = 300;
/** Characters of a foreign text that are looked at: more than any line shows. */
const READ_AT_MOST = 8_192;

/** Foreign text as one line: control, bidi and invisible characters out, white space collapsed. */
export function plainLine(text: string) {
  return text
    .slice(0, READ_AT_MOST)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim()
    .toWellFormed();
}

/** Foreign text made fit for a log line: {@link plainLine}, and short. */
export function quotable(text: string) {
  const line = plainLine(text);
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH).toWellFormed()}…` : line;
}
