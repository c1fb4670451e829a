/** Markup that is safe to send unescaped. Only {@link html} makes it, and src/web/docs of Markdown of our own. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** A value in a template: markup is kept, text is escaped, null and false are left out. */
export type Inserted = Html | string | number | null | undefined | false | readonly Inserted[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Markup with values in it; each is escaped, in text and in quoted attributes alike. */
export function html(strings: TemplateStringsArray, ...values: Inserted[]) {
  return new Html(strings.map((string, index) => string + insert(values[index])).join(""));
}

function insert(value: Inserted): string {
  if (value instanceof Html) return value.text;
  if (value === null || value === undefined || value === false) return "";
  if (typeof value === "string") return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
  if (typeof value === "number") return String(value);
  return value.map(insert).join("");
}

/** An email address, which breaks at its @ where there is no room for all of it. */
export function emailAddress(address: string) {
  const [name, ...host] = address.split("@");
  return html`${name}${host.length > 0 && html`<wbr>@${host.join("@")}`}`;
}

/** What a form that led here did. */
export function statusNote(words: Inserted) {
  return html`<p class="status" role="status">${words}</p>`;
}
