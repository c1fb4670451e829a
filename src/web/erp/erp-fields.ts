import type { OperatorConnection } from "../../core/erp-connections/operator-connection.ts";
import { checkbox, input, select } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import type { ErpFormProblem } from "./erp-form.ts";

const APPLY_MODES = [
  { value: "rest_action", label: "By REST action (Fusion 26C and newer)" },
  { value: "automatch", label: "By Fusion's AutoMatch job (older releases)" },
];

/** The defaults of a new connection. */
export const NEW_CONNECTION = {
  pull_invoice_date_from: null,
  pull_contact_name: true,
  apply_mode: "rest_action",
  receipt_method: "Payment Link",
  auto_sync_enabled: true,
  auto_sync_interval_minutes: 60,
} as const satisfies Partial<OperatorConnection>;

/** Address, user and password; `key` keeps the ids of several forms apart. */
export function accessFields(
  key: string,
  { url, user }: { url: string; user: string },
  refused: ErpFormProblem | null,
): Html[] {
  const problems = refused?.problems ?? {};
  return [
    input(
      {
        id: `url-${key}`,
        name: "url",
        label: "Address",
        hint: "Such as https://pod.fa.example.com",
        problem: problems.url,
      },
      html`type="url" value="${url}" required maxlength="500" autocomplete="off" spellcheck="false"`,
    ),
    input(
      {
        id: `user-${key}`,
        name: "user",
        label: "User",
        hint: "The one the service signs in as.",
        problem: problems.user,
      },
      html`value="${user}" required maxlength="200" autocomplete="off" spellcheck="false"`,
    ),
    input(
      {
        id: `password-${key}`,
        name: "password",
        label: "Password",
        hint: "It is kept encrypted and never shown again.",
        problem: problems.password,
      },
      html`type="password" required maxlength="1000" autocomplete="new-password"`,
    ),
    checkbox(
      { id: `unchecked-${key}`, name: "unchecked", label: "Save without asking the ERP, while it cannot be reached" },
      refused?.typed.unchecked === "on",
    ),
  ];
}

type Pulled = Pick<OperatorConnection, keyof typeof NEW_CONNECTION>;

/** What is pulled and when, and how receipts are written; `now` is the current state. */
export function pulledFields(key: string, now: Pulled, refused: ErpFormProblem | null): Html[] {
  const { typed = {}, problems = {} }: Partial<ErpFormProblem> = refused ?? {};
  const ticked = (name: string, holds: boolean): boolean => (refused === null ? holds : typed[name] === "on");
  return [
    input(
      {
        id: `from-${key}`,
        name: "pull_from",
        label: "Invoices dated from",
        hint: "Empty for all of them. A later date removes nothing that was imported.",
        problem: problems.pull_from,
      },
      html`type="date" value="${typed.pull_from ?? now.pull_invoice_date_from}"`,
    ),
    checkbox(
      { id: `names-${key}`, name: "contact_name", label: "Take over the names of contacts" },
      ticked("contact_name", now.pull_contact_name),
    ),
    checkbox(
      { id: `auto-${key}`, name: "auto_sync", label: "Pull by itself" },
      ticked("auto_sync", now.auto_sync_enabled),
    ),
    input(
      {
        id: `interval-${key}`,
        name: "interval",
        label: "Minutes between two automatic pulls",
        hint: "10 to 1440.",
        problem: problems.interval,
      },
      html`type="number" min="10" max="1440" required value="${typed.interval ?? String(now.auto_sync_interval_minutes)}"`,
    ),
    select(
      { id: `apply-${key}`, name: "apply_mode", label: "Receipts are applied" },
      APPLY_MODES,
      typed.apply_mode ?? now.apply_mode,
    ),
    input(
      {
        id: `method-${key}`,
        name: "receipt_method",
        label: "Receipt method",
        hint: "Its name in the ERP.",
        problem: problems.receipt_method,
      },
      html`value="${typed.receipt_method ?? now.receipt_method}" required maxlength="30" autocomplete="off"`,
    ),
  ];
}

/** Why a form was not accepted, shown above it. */
export function alert(refused: ErpFormProblem | null): Html | null {
  return refused === null ? null : html`<p class="alert" role="alert">${refused.message}</p>`;
}
