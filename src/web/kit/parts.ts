import { type Html, html, type Inserted } from "./html.ts";

/** Shown in place of a missing value. */
export const NOTHING: Html = html`<span class="none"><span aria-hidden="true">–</span><span
 class="unseen">None</span></span>`;

/** A titled section of a page, with a link beside the title. */
export function part(title: string, body: Inserted, link: Inserted = null) {
  return html`<section class="part"><div class="head"><h2>${title}</h2>${link}</div>
${body}</section>`;
}

/** A link to a page. */
export function link(path: string, words: Inserted, attributes?: Html) {
  return html`<a${attributes} href="${path}">${words}</a>`;
}

/** The way on from a page that has none of its own. */
export const TO_START = html`<p>${link("/", "To the start page")}</p>`;

/** A link that looks like a button; the plain one is not the main one of its page. */
export function buttonLink(path: string, words: Inserted, look: "" | "plain" | "danger" = "plain") {
  return link(path, words, html` class="button${look !== "" && ` ${look}`}"`);
}

/** The kinds of a list's files, by the endings of their addresses. */
export const FILE_KINDS = { ".csv": "CSV", ".xlsx": "Excel" };

/** Links to a list's files, and of how many rows these are. */
export function downloads(addressOf: (ending: string) => string, rows: Inserted = null) {
  const links = Object.entries(FILE_KINDS).map(([ending, name]) =>
    link(addressOf(ending), name, html` class="button plain" download aria-label="Download ${name}"`),
  );
  return html`<span class="downloads">Download${rows}: ${links}</span>`;
}

/** A figure in large type. */
export function big(figure: Inserted, look: "" | "overdue" | "count" = "") {
  return html`<span class="big${look !== "" && ` ${look}`}">${figure}</span>`;
}

/** Words in a paragraph of their own. */
export function paragraph(...words: Inserted[]) {
  return html`<p>${words}</p>`;
}

/** A word beside others that matter more. */
export function aside(...words: Inserted[]) {
  return html`<span class="quiet">${words}</span>`;
}

/** A word for those who hear the page. */
export function unseen(...words: Inserted[]) {
  return html`<span class="unseen">${words}</span>`;
}

/** A word beside the matter, or that all is well. */
export function muted(words: Inserted) {
  return html`<p class="quiet">${words}</p>`;
}

/** What people should see to. */
export function warning(words: Inserted) {
  return html`<p class="warn">${words}</p>`;
}

/** In place of an empty list: that it is empty, and what to do. */
export function emptied(words: Inserted, next: Inserted) {
  return html`<div class="empty"><p>${words}</p><p>${next}</p></div>`;
}

/** The head of a page: its title, what it is about, and what can be begun there. */
export function pageHead(title: Inserted, about: Inserted = null, acts: Inserted = null) {
  return html`<div class="title"><div><h1>${title}</h1>${about}</div>${acts}</div>`;
}

/** Points, each a sentence or two; false in the place of one leaves it out. */
export function points(items: readonly Inserted[], look = "") {
  return html`<ul${look !== "" && html` class="${look}"`}>
${items.map((words) => words !== false && html`<li>${words}</li>\n`)}</ul>`;
}

/** Buttons and links beside each other. */
export function actions(...acts: Inserted[]) {
  return html`<div class="actions">${acts}</div>`;
}

/** A form's only button. */
export function submit(words: Inserted, attributes?: Html) {
  return actions(html`<button${attributes}>${words}</button>`);
}

/** What a name says; false in the place of one leaves it out, null is shown as {@link NOTHING}. */
export type Fact = readonly [name: string, value: Inserted] | false;

/** A short list of facts. */
export function facts(rows: readonly Fact[]) {
  return html`<dl class="facts">
${rows.map((row) => row && html`<dt>${row[0]}</dt><dd>${row[1] ?? NOTHING}</dd>\n`)}</dl>`;
}

/** The facts of a page, beside each other. */
export function keyFacts(rows: readonly Fact[], look = "key") {
  const shown = rows.map((row) => row && html`<div><dt>${row[0]}</dt><dd>${row[1] ?? NOTHING}</dd></div>\n`);
  return html`<dl class="${look}">\n${shown}</dl>`;
}

/** What opens without JavaScript. */
export function disclosure(summary: string, isOpen: boolean, body: Inserted) {
  return html`<details${isOpen && html` open`}>
<summary>${summary}</summary>
${body}
</details>`;
}

/** A page that others lead to. */
interface Place {
  readonly path: string;
  readonly name: string;
  readonly isCurrent: boolean;
}

/** An item of a navigation. */
export function navItem({ path, name, isCurrent }: Place) {
  return html`<li><a href="${path}"${isCurrent && html` aria-current="page"`}>${name}</a></li>`;
}

/** Links to pages beside each other. */
export function tabs(label: string, places: readonly Place[]) {
  return html`<nav class="tabs" aria-label="${label}"><ul>${places.map(navItem)}</ul></nav>`;
}

/** A field that people do not see. */
export function hidden(name: string, value: string) {
  return html`<input type="hidden" name="${name}" value="${value}">`;
}

/** A box to tick that needs neither hint nor problem. */
export function tick(name: string, value: string, words: Inserted, state: "ticked" | "required" | null = null) {
  const attribute = { ticked: html` checked`, required: html` required` };
  return html`<label class="check"><input type="checkbox" name="${name}" value="${value}"${state && attribute[state]}>
<span>${words}</span></label>`;
}

/** What is asked before an act: what follows from it, its button, and the words of the way back. */
export interface Confirmation {
  readonly question: string;
  readonly consequences: readonly Inserted[];
  /** Beside the button. */
  readonly fields?: Html;
  readonly button: string;
  /** Another button. */
  readonly more?: Html | false;
  readonly stay: string;
}

/** A form field: its label, hint and validation problem. */
interface Field {
  /** Unique on the page. */
  id: string;
  name: string;
  label: Inserted;
  hint?: Inserted;
  /** Why its value was not accepted. */
  problem?: string | undefined;
}

/** A one-line field; `attributes` are the input's own, such as `type` and `value`. */
export function input(field: Field, attributes: Html) {
  return html`<label for="${field.id}">${field.label}</label>
<input id="${field.id}" name="${field.name}" ${attributes}${describedBy(field)}>${notes(field)}`;
}

/** A field for a secret, which is never filled in: a form that was not accepted asks for it again, and says so. */
export function secretInput(field: Field, attributes: Html, { isAgain }: { isAgain: boolean }) {
  const hint = isAgain ? html`Give it again: secrets are not kept in forms. ${field.hint}` : field.hint;
  return input({ ...field, hint }, html`type="password" ${attributes}`);
}

/** A field of several lines. */
export function textarea(field: Field, value: string, attributes: Html) {
  return html`<label for="${field.id}">${field.label}</label>
<textarea id="${field.id}" name="${field.name}" ${attributes}${describedBy(field)}>
${value}</textarea>${notes(field)}`;
}

/** A choice of one. */
export function select(
  field: Field,
  options: readonly { value: string; label: string }[],
  chosen: string | null = null,
) {
  return html`<label for="${field.id}">${field.label}</label>
<select id="${field.id}" name="${field.name}"${describedBy(field)}>${options.map(
    ({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  )}</select>${notes(field)}`;
}

/** A box to tick. */
export function checkbox(field: Field, checked: boolean) {
  return html`<label class="check"><input id="${field.id}" name="${field.name}" type="checkbox"
 value="on"${checked && html` checked`}${describedBy(field)}> ${field.label}</label>${notes(field)}`;
}

function describedBy({ id, hint, problem }: Field) {
  const notes = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-error`].filter((note) => note);
  const isWrong = problem !== undefined && html` aria-invalid="true"`;
  return html`${notes.length > 0 && html` aria-describedby="${notes.join(" ")}"`}${isWrong}`;
}

function notes({ id, hint, problem }: Field) {
  return html`${hint !== undefined && html`<p class="quiet" id="${id}-hint">${hint}</p>`}\
${problem !== undefined && html`<p class="problem" id="${id}-error">${problem}</p>`}`;
}
