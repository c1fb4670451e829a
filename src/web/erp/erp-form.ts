import type { Request } from "express";
import { ErpConnectionInput } from "../../core/erp-connections/connection-input.ts";
import type { OperatorConnection } from "../../core/erp-connections/operator-connection.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import { ConfirmationNeeded } from "../../core/workflows/plan-schema.ts";
import { checkbox, input, secretInput, select } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { SENT_BEFORE } from "../kit/once.ts";
import type { PlanToConfirm } from "../kit/plan-confirmation.ts";
import { fieldOf } from "../kit/site.ts";

/** The fields of the forms about ERP connections. */
const FIELDS = {
  url: "url",
  username: "user",
  password: "password",
  pullFrom: "pull_from",
  receiptMethod: "receipt_method",
  intervalMinutes: "interval",
  sameErp: "same_erp",
  sameInvoices: "same_invoices",
} as const;

type ErpFieldName = (typeof FIELDS)[keyof typeof FIELDS];

/** A form that was not accepted: what was typed, except the password, and why. */
export interface ErpFormProblem {
  /** The connection; null for the form of a new one. */
  connectionId: string | null;
  form: "connect" | "reconnect" | "settings" | "other";
  status: number;
  message: string;
  typed: Partial<Record<string, string>>;
  problems: Partial<Record<ErpFieldName, string>>;
  /** What has to be confirmed first. */
  toConfirm?: PlanToConfirm;
  /** Its name is used up: the next is another form. */
  isSpent?: boolean;
}

/** Reads address, user and password, and whether it is confirmed that the ERP is connected already. */
export function readAccess(request: Request) {
  return {
    url: fieldOf(request, "url").trim(),
    username: fieldOf(request, "user"),
    password: fieldOf(request, "password"),
    sameErp: fieldOf(request, "same_erp") === "on",
  };
}

/** Whether the ERP is checked before anything is saved; an admin may skip that. */
export function readCheck(request: Request): "no" | "refuse" {
  return fieldOf(request, "unchecked") === "on" ? "no" : "refuse";
}

/** Reads what an admin says of a reconnection: whether the ERP is asked first, and what they confirm of the plan. */
export const readConsent = (request: Request) => ({
  check: readCheck(request),
  confirmed: fieldOf(request, "confirmed"),
  sameInvoices: fieldOf(request, "same_invoices") === "on",
});

/** Reads what is pulled, and how receipts are written; the operation validates it. */
export function readPulled(request: Request) {
  const pullFrom = fieldOf(request, "pull_from").trim();
  return {
    pullFrom: pullFrom === "" ? null : pullFrom,
    contactName: fieldOf(request, "contact_name") === "on",
    applyMode: ErpConnectionInput.applyMode.catch("rest_action").parse(fieldOf(request, "apply_mode")),
    receiptMethod: fieldOf(request, "receipt_method"),
    autoSync: fieldOf(request, "auto_sync") === "on",
    intervalMinutes: Number(fieldOf(request, "interval").trim() || Number.NaN),
  };
}

/** Reads all settings of a connection. */
export function readSettings(request: Request) {
  return {
    ...readPulled(request),
    paymentPushMode: ErpConnectionInput.paymentPushMode.catch("automatic").parse(fieldOf(request, "push_mode")),
  };
}

/** An error of the core as the form shows it. Rethrows errors that are not about the form. */
export function erpFormProblemOf(
  error: unknown,
  request: Request,
  { connectionId, form }: Pick<ErpFormProblem, "connectionId" | "form">,
): ErpFormProblem {
  if (!(error instanceof ServiceError) || !SHOWN.has(error.code)) throw error;
  const problems: ErpFormProblem["problems"] = {};
  for (const { field, message } of error.details ?? []) {
    const name = Object.entries(FIELDS).find(([key]) => key === field)?.[1];
    if (name !== undefined) problems[name] ??= `It ${message}.`.replace("It must be given, because t", "T");
  }
  const typed = Object.fromEntries(TYPED.map((name) => [name, fieldOf(request, name)]));
  const isSpent = error.code === "idempotency_conflict";
  const said = isSpent ? SENT_BEFORE : error.message;
  const message = Object.keys(problems).length > 0 ? "Nothing was changed." : said;
  const toConfirm = error instanceof ConfirmationNeeded ? { toConfirm: error } : {};
  return { connectionId, form, status: error.httpStatus, message, typed, problems, isSpent, ...toConfirm };
}

const TYPED = [
  "url",
  "user",
  "pull_from",
  "contact_name",
  "auto_sync",
  "interval",
  "apply_mode",
  "receipt_method",
  "push_mode",
  "unchecked",
  "same_erp",
  "same_invoices",
] as const;
const SHOWN = new Set([
  "validation_failed",
  "conflict",
  "idempotency_conflict",
  "sync_disabled",
  "connection_disconnected",
]);

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
  const line = lineOf(key, refused);
  const confirmations = [
    { name: "same_erp", label: "Connect it again: this user sees other invoices" },
    { name: "same_invoices", label: "Move it: the same invoices are at the new address" },
  ] as const;
  return [
    line(
      { name: "url", label: "Address", hint: "Such as https://pod.fa.example.com" },
      html`type="url" value="${url}" required maxlength="500" autocomplete="off" spellcheck="false"`,
    ),
    line(
      { name: "user", label: "User", hint: "The one the service signs in as." },
      html`value="${user}" required maxlength="200" autocomplete="off" spellcheck="false"`,
    ),
    secretInput(
      {
        ...{ id: `password-${key}`, name: "password", label: "Password", problem: refused?.problems.password },
        hint: "It is kept encrypted and never shown again.",
      },
      html`required maxlength="1000" autocomplete="new-password"`,
      { isAgain: refused !== null },
    ),
    checkbox(
      { id: `unchecked-${key}`, name: "unchecked", label: "Save without asking the ERP, while it cannot be reached" },
      refused?.typed.unchecked === "on",
    ),
    ...confirmations.flatMap(({ name, label }) => {
      const [problem, isGiven] = [refused?.problems[name], refused?.typed[name] === "on"];
      const id = `${name.replace("_", "-")}-${key}`;
      return isGiven || problem !== undefined ? [checkbox({ id, name, label, problem }, isGiven)] : [];
    }),
  ];
}

type Pulled = Pick<OperatorConnection, keyof typeof NEW_CONNECTION>;

/** What is pulled and when, and how receipts are written; `now` is the current state. */
export function pulledFields(key: string, now: Pulled, refused: ErpFormProblem | null): Html[] {
  const typed: ErpFormProblem["typed"] = refused?.typed ?? {};
  const line = lineOf(key, refused);
  const box = (name: string, label: string, holds: boolean): Html =>
    checkbox({ id: `${name}-${key}`, name, label }, refused === null ? holds : typed[name] === "on");
  return [
    line(
      {
        name: "pull_from",
        label: "Invoices dated from",
        hint: "Empty for all of them. A later date removes nothing that was imported.",
      },
      html`type="date" value="${typed.pull_from ?? now.pull_invoice_date_from}"`,
    ),
    box("contact_name", "Import the names of contacts", now.pull_contact_name),
    box("auto_sync", "Sync automatically", now.auto_sync_enabled),
    line(
      { name: "interval", label: "Minutes between two automatic syncs", hint: "10 to 1440." },
      html`type="number" min="10" max="1440" required value="${typed.interval ?? String(now.auto_sync_interval_minutes)}"`,
    ),
    select(
      { id: `apply-${key}`, name: "apply_mode", label: "Receipts are applied" },
      APPLY_MODES,
      typed.apply_mode ?? now.apply_mode,
    ),
    line(
      { name: "receipt_method", label: "Receipt method", hint: "Its name in the ERP." },
      html`value="${typed.receipt_method ?? now.receipt_method}" required maxlength="30" autocomplete="off"`,
    ),
  ];
}

/** A one-line field with what was wrong with its value. */
function lineOf(key: string, refused: ErpFormProblem | null) {
  return ({ name, ...words }: { name: ErpFieldName; label: string; hint: string }, attributes: Html): Html =>
    input({ id: `${name}-${key}`, name, ...words, problem: refused?.problems[name] }, attributes);
}
