import { minorDigits } from "../../core/kernel/currencies.ts";
import { type Child, el } from "./dom.ts";

/** An amount exactly as the service returned it. Thousands are separated by spacing that is not part of the text. */
export function figure(amount: string, currency: string | null | undefined): HTMLElement {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d+)(\.\d+)?$/.exec(amount) ?? [amount, amount];
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, " ").split(" ");
  const digits = el("span", { class: "figure" }, sign, ...groups.map((group) => el("span", {}, group)), rest);
  return el("span", { class: "amount" }, digits, currency && el("span", { class: "currency" }, ` ${currency}`));
}

/** Whether an amount is zero. */
function isZero(amount: string): boolean {
  return /^-?0*(\.0*)?$/.test(amount);
}

/** What is open of a row, and what of it is overdue. */
export function openAndOverdue(open?: string, overdue?: string, currency?: string | null): Child[] {
  return [
    open && figure(open, currency),
    overdue && !isZero(overdue) && el("p", { class: "late" }, "overdue ", figure(overdue, currency)),
  ];
}

/** A sum of one currency: how much, of how many, and what of it is overdue. */
export function sumItem(sum: HTMLElement, count: string, overdue: HTMLElement | null): HTMLElement {
  const late = overdue && el("span", { class: "quiet" }, "overdue ", overdue);
  return el("li", {}, el("strong", {}, sum), el("span", { class: "quiet" }, count), late);
}

/** The list of sums, one for each currency. */
export function sumList(sums: readonly HTMLElement[]): Child {
  return sums.length > 0 && el("ul", { class: "sums" }, ...sums);
}

/** An amount in minor units, shown in major units. */
export function minorFigure(minor: number, currency: string | undefined): HTMLElement {
  const digits = currency === undefined ? undefined : minorDigits(currency);
  if (digits === undefined) return figure(String(minor), `${currency ?? ""} minor units`);
  const text = String(minor).padStart(digits + 1, "0");
  const point = text.length - digits;
  return figure(digits === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`, currency);
}

/** An amount in minor units, what is finer rounded down; undefined where it cannot be said in them, or is nothing. */
export function minorOf(amount: string, currency: string | null): number | undefined {
  const digits = currency === null ? undefined : minorDigits(currency);
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  if (digits === undefined || whole === undefined) return undefined;
  const minor = Number(whole + fraction.padEnd(digits, "0").slice(0, digits));
  return Number.isSafeInteger(minor) && minor > 0 ? minor : undefined;
}

/** Amounts as integers of one scale, for comparison only. */
function scaled(amounts: readonly string[]): bigint[] {
  const parts = amounts.map((amount) => amount.split("."));
  const places = Math.max(0, ...parts.map(([, fraction = ""]) => fraction.length));
  return parts.map(([whole = "0", fraction = ""]) => BigInt(whole + fraction.padEnd(places, "0")));
}

/** Bars in proportion to the largest amount; amounts above zero are always visible. */
export function bars(amounts: readonly string[], kinds: readonly string[]): HTMLElement[] {
  const values = scaled(amounts);
  const largest = values.reduce((most, value) => (value > most ? value : most), 1n);
  return values.map((value, index) => {
    const bar = el("span", { class: `bar ${kinds[index] ?? ""}` });
    bar.style.width = value <= 0n ? "0" : `max(2px, ${Number((value * 1000n) / largest) / 10}%)`;
    return el("span", { class: "track", "aria-hidden": "true" }, bar);
  });
}

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** A plain date, formatted. */
export function dayElement(date: string): HTMLElement {
  return el("time", { datetime: date }, DAY.format(new Date(`${date}T00:00:00Z`)));
}

/** When the ERP of some figures was read that was read longest ago; undefined of figures from none. */
export function oldestAsOf(figures: readonly { readonly as_of?: string | null }[]): string | undefined {
  return figures.flatMap(({ as_of: at }) => at ?? []).sort()[0];
}

/** An instant in a time zone, with the zone. */
export function instant(at: string, timeZone = "UTC"): HTMLElement {
  const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone });
  return el("time", { datetime: at }, `${format.format(new Date(at))} (${timeZone})`);
}
