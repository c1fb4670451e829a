/** What an element holds; what is missing is left out. */
export type Child = Node | string | null | undefined | false | Child[];

const present = (children: readonly Child[]): (Node | string)[] =>
  children.flatMap((child) => (Array.isArray(child) ? present(child) : child || []));

/** An element with attributes and children. Text becomes text nodes only, so it is never parsed as markup. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...present(children));
  return made;
}

/** A text from outside, isolated so that its writing direction does not affect its neighbors. */
export function name(text: string | null | undefined, otherwise: string): HTMLElement {
  return text ? el("bdi", {}, text) : el("span", { class: "quiet" }, otherwise);
}

/** A small paragraph, such as what qualifies a figure. */
export function quiet(...children: readonly Child[]): HTMLElement {
  return el("p", { class: "quiet" }, ...children);
}

/** A line of its own. */
export function line(...children: readonly Child[]): HTMLElement {
  return el("p", {}, ...children);
}

/** What is read out once it is there, or changes. */
export function statusLine(text = ""): HTMLElement {
  return el("p", { class: "quiet", role: "status" }, text);
}

/** The number of an invoice, on a line of its own. */
export function invoiceLine(number: string | null | undefined): HTMLElement {
  return line(name(number, "Invoice without a number"));
}

export const customerHeading = (text: string | null | undefined): HTMLElement => name(text, "Customer without a name");

/** A list of rows. */
export function rowList(...rows: readonly Child[]): HTMLElement {
  return el("ul", { class: "rows" }, ...rows);
}

/** A row of a list: who or what it is, its amount, and what belongs below. */
export function listRow(who: readonly Child[], sum: readonly Child[], ...below: readonly Child[]): HTMLElement {
  return el("li", {}, el("div", { class: "who" }, ...who), el("div", { class: "sum" }, ...sum), ...below);
}

/** A button that ignores further clicks while its act is in progress; a label from outside is isolated by {@link name}. */
export function button(
  label: string | Node,
  kind: "plain" | "main" | "danger" | "row",
  act: () => unknown,
): HTMLButtonElement {
  const made = el("button", { type: "button", class: kind }, label);
  let isActing = false;
  made.addEventListener("click", async () => {
    if (isActing) return;
    isActing = true;
    made.setAttribute("aria-disabled", "true");
    try {
      await act();
    } finally {
      isActing = false;
      made.removeAttribute("aria-disabled");
    }
  });
  return made;
}

/** Replaces what an element holds. */
export function fill(parent: HTMLElement, ...children: readonly Child[]): void {
  parent.replaceChildren(...present(children));
}

const root = document.querySelector("main") ?? el("main");

/** Shows a screen; when it replaces another one, its heading gets the focus, so that it is read out. */
export function show(parts: readonly Child[], { focus = false } = {}): void {
  fill(root, ...parts);
  root.removeAttribute("aria-busy");
  if (focus) root.querySelector<HTMLElement>("h1")?.focus();
}

/** Shows that something is loading. */
export function showWaiting(text: string): void {
  if (root.childElementCount === 0) fill(root, statusLine(text));
  root.setAttribute("aria-busy", "true");
}

/** A heading that can receive the focus. */
export function heading(...children: readonly Child[]): HTMLElement {
  return el("h1", { tabindex: "-1" }, ...children);
}

/** An error and what to do about it. */
export function problem(text: string, ...actions: readonly Child[]): HTMLElement {
  return el("div", { class: "alert", role: "alert" }, line(text), ...actions);
}
