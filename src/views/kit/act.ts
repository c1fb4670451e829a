import { button, el, fill, problem } from "./dom.ts";
import { asCallError, type CallError, type Fields, type Host } from "./host.ts";

/** Something that a press of a button changes, by one call of a tool that the person granted. */
export interface ConfirmedCall {
  readonly host: Host;
  readonly tool: string;
  /** The same for every attempt, its idempotency key included: however often it is tried, it is carried out once. */
  readonly args: Fields;
  /** On the button. */
  readonly label: string;
  /** What is about to happen, before the person confirms it. */
  question(): Node;
  readonly confirm: string;
  readonly kind: "main" | "danger";
  /** Shows what was done. */
  done(answer: Fields): void;
}

/** A second press of a double click shall not confirm what the first one asked. */
const SETTLING_MS = 400;

/** A button that asks first, and tells what came back: done, refused, or unknown and safe to try again. */
export function actButton(act: ConfirmedCall): HTMLElement {
  const place = el("div", { class: "act" });
  offer(place, act);
  return place;
}

function offer(place: HTMLElement, act: ConfirmedCall): void {
  fill(
    place,
    button(act.label, "plain", () => askFirst(place, act)),
  );
}

function askFirst(place: HTMLElement, act: ConfirmedCall): void {
  const shownAt = performance.now();
  const yes = button(act.confirm, act.kind, () =>
    performance.now() - shownAt < SETTLING_MS ? undefined : carryOut(place, act),
  );
  const no = button("Cancel", "plain", () => offer(place, act));
  fill(
    place,
    el("div", { class: "question", role: "group" }, act.question(), el("div", { class: "buttons" }, no, yes)),
  );
  no.focus();
}

async function carryOut(place: HTMLElement, act: ConfirmedCall): Promise<void> {
  const status = el("p", { role: "status", tabindex: "-1" }, "Working… This can take a moment.");
  fill(place, status);
  status.focus();
  try {
    const answer = await act.host.call(act.tool, act.args);
    fill(place);
    act.done(answer);
  } catch (error) {
    const failure = asCallError(error);
    const again = button("Try again", "plain", () => carryOut(place, act));
    const no = button("Cancel", "plain", () => offer(place, act));
    fill(place, problem(wordsOf(failure), again, no));
    again.focus();
  }
}

function wordsOf({ code, message }: CallError): string {
  if (code !== null) return message;
  return `${message} It is not known whether this was carried out. Trying again is safe: it is done once only.`;
}

/** A key for an act, by which the service carries it out once. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The tools that the person's connection may call now; none where the host lets views call none, or the answer fails. */
export async function grantedTools(host: Host): Promise<ReadonlySet<unknown>> {
  if (!host.callsTools) return new Set();
  const context = await host.call("get_context", {}).catch((): Fields => ({}));
  return new Set(Array.isArray(context.callable_tools) ? context.callable_tools : []);
}
