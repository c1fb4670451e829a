import { businessDate } from "../../core/kernel/calendar.ts";
import { formatMoney, fromMinor, money } from "../../core/kernel/money.ts";
import { readableDate, readableMoney } from "../../core/mail/readable.ts";
import { dateTime, emailAddress, html, NOTHING, timeElement } from "../kit/markup.ts";
import type { WorkspaceVisit } from "../kit/page.ts";

/** An exact amount in major units, formatted for people, with the exact value in `value`. */
export function shownAmount(value: string | null, currency: string | null) {
  if (value === null) return NOTHING;
  const [number = "", code = ""] = readableMoney(money(value), currency ?? "").split(" ");
  const isZero = money(value).isZero();
  return html`<data class="amount${isZero && " zero"}" value="${value}">${grouped(number)}${
    code !== "" &&
    html`
<span class="currency">${code}</span>`
  }</data>`;
}

/** Longer than this, an amount may be wider than a narrow screen. */
const ONE_LINE = "999,999,999.999".length;

/** Stays on one line; longer amounts allow line breaks after thousands separators. */
function grouped(number: string) {
  if (number.length <= ONE_LINE) return number;
  const [first = "", ...others] = number.split(",");
  return html`${first}${others.map((group) => html`,<wbr>${group}`)}`;
}

/** The same for an amount in minor units, which are shown as they are if the currency is unknown. */
export function shownMinor(minor: number, currency: string) {
  const major = fromMinor(BigInt(minor), currency);
  return shownAmount(major === undefined ? String(minor) : formatMoney(major, currency), currency);
}

/** A plain date. */
export function shownDay(date: string | null) {
  return date === null
    ? NOTHING
    : html`<time datetime="${date}">${readableDate(date).replaceAll(" ", "\u00a0")}</time>`;
}

/** How good or bad a state is, which decides its color. */
export type Tone = "good" | "waits" | "failed" | "plain" | "quiet";

/** A state in one or two words. */
export function chip(words: string, tone: Tone) {
  return html`<span class="chip ${tone}">${words}</span>`;
}

type State = readonly [words: string, tone: Tone];

/** The words and the color of each of some states. */
export type States<Key extends string> = Readonly<Record<Key, State>>;

/** Shows one of some states; null for none. */
export const chipOf =
  <Key extends string>(states: States<Key>) =>
  (state: Key | null) => {
    if (state === null) return null;
    const [words, tone]: State = states[state];
    return chip(words, tone);
  };

/** The words of states, as filters show them. */
export function stateWords(states: States<string>) {
  return Object.fromEntries(Object.entries(states).map(([state, [words]]) => [state, words]));
}

/** The day that it is in the workspace. */
export const todayOf = ({ site, workspace }: WorkspaceVisit) => businessDate(site.core.clock.now(), workspace.timezone);

/** Figures in a currency, and when the ERP that they are from was last read; null without one. */
export interface Dated {
  readonly currency: string | null;
  readonly as_of: string | null;
}

/** As of when figures are: the oldest of each currency, where these differ; null where they are from no ERP. */
export function figuresAsOf(figures: readonly Dated[], timezone: string, what = "Figures") {
  const byCurrency = [...Map.groupBy(figures, ({ currency }) => currency ?? "UNKNOWN")];
  const oldest = byCurrency.flatMap(([currency, those]) => {
    const [at] = those.flatMap(({ as_of: at }) => at ?? []).sort();
    return at === undefined ? [] : [{ currency, at }];
  });
  const inOrder = oldest.sort((one, other) => (one.at < other.at ? -1 : 1));
  const times = [...Map.groupBy(inOrder, ({ at }) => dateTime(at, timezone)).values()];
  if (times.length === 0) return null;
  const each = times.map((those, index) => [
    index > 0 && "; ",
    timeElement(those[0]?.at ?? "", timezone),
    times.length > 1 && ` (${those.map(({ currency }) => currency).join(", ")})`,
  ]);
  return html`${what} as of ${each}`;
}

/** "1,234". */
export function shownCount(value: number) {
  return value.toLocaleString("en-US");
}

/** A count that is all there is in a cell. */
export function countCell(value: number) {
  return html`<span class="count">${shownCount(value)}</span>`;
}

/** An amount that is overdue. */
export function overdueCell(value: string | null, currency: string | null) {
  return html`<span class="overdue">${shownAmount(value, currency)}</span>`;
}

/** A count, with the exact value in `value`. */
export function countFigure(value: number) {
  return html`<data class="count${value === 0 && " none"}" value="${value}">${shownCount(value)}</data>`;
}

/** An email address among figures. */
export function mailAddress(address: string) {
  return html`<span class="mail">${emailAddress(address)}</span>`;
}

/** A number or code, kept on one line, up to the length of a UUID. */
export function unbroken(text: string) {
  return text.length > 36 ? text : html`<span class="short">${text}</span>`;
}
