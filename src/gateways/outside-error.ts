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
