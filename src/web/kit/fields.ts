import { type Html, html } from "./html.ts";

/** A form field: its label, hint and validation problem. */
interface Field {
  /** Unique on the page. */
  id: string;
  name: string;
  label: string;
  hint?: string | undefined;
  /** Why its value was not accepted. */
  problem?: string | undefined;
}

/** A one-line field; `attributes` are the input's own, such as `type` and `value`. */
export function input(field: Field, attributes: Html): Html {
  return html`<label for="${field.id}">${field.label}</label>
<input id="${field.id}" name="${field.name}" ${attributes}${describedBy(field)}>${notes(field)}`;
}

/** A choice of one. */
export function select(
  field: Field,
  options: readonly { value: string; label: string }[],
  chosen: string | null = null,
): Html {
  return html`<label for="${field.id}">${field.label}</label>
<select id="${field.id}" name="${field.name}"${describedBy(field)}>${options.map(
    ({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  )}</select>${notes(field)}`;
}

/** A box to tick. */
export function checkbox(field: Field, checked: boolean): Html {
  return html`<label class="check" for="${field.id}"><input id="${field.id}" name="${field.name}" type="checkbox" value="on"${checked && html` checked`}${describedBy(field)}> ${field.label}</label>${notes(field)}`;
}

function describedBy({ id, hint, problem }: Field): Html {
  const notes = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-error`].filter(
    (note) => note !== false,
  );
  return html`${notes.length > 0 && html` aria-describedby="${notes.join(" ")}"`}${problem !== undefined && html` aria-invalid="true"`}`;
}

function notes({ id, hint, problem }: Field): Html {
  return html`${hint !== undefined && html`<p class="quiet" id="${id}-hint">${hint}</p>`}${problem !== undefined && html`<p class="problem" id="${id}-error">${problem}</p>`}`;
}
