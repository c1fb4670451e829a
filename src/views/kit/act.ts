import { button, el, fill, problem } from "./dom.ts";
import type { Fields } from "./fields.ts";
import { asCallError, type CallError, host } from "./host.ts";

/** An act behind a button: one call of a tool that the person granted. */
interface ConfirmedCall {
  readonly tool: string;
  /** The same for every attempt, including the idempotency key, so that retries carry it out once. */
  readonly args: Fields;
  /** On the button. */
  readonly label: string;
  /** What is about to happen, shown for confirmation. */
  question(): Node;
  readonly confirm: string;
  readonly kind: "main" | "danger";
  /** Shows the result. */
  done(answer: Fields): void;
}

/**
 * How long further clicks are ignored: the second click of a double click must not confirm what the first one asked.
 */
const DOUBLE_CLICK_MS = 400;

/** A button that asks for confirmation, and then shows the outcome: done, refused, or unknown and safe to retry. */
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
    performance.now() - shownAt < DOUBLE_CLICK_MS ? undefined : carryOut(place, act),
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
    const answer = await host.call(act.tool, act.args);
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

/** An idempotency key for an act. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The tools that the person's connection may call now; empty if the host does not let views call tools, or the call
 * fails.
 */
export async function grantedTools(): Promise<ReadonlySet<unknown>> {
  if (!host.callsTools) return new Set();
  const context = await host.call("get_context", {}).catch((): Fields => ({}));
  return new Set(Array.isArray(context.callable_tools) ? context.callable_tools : []);
}
