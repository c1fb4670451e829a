import type { Request } from "express";
import { ErpConnectionInput } from "../../core/erp-connections/connection-input.ts";
import { ServiceError } from "../../core/gate/error.ts";
import { ConfirmationNeeded } from "../../core/workflows/plan-schema.ts";
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
} as const;

type FieldName = (typeof FIELDS)[keyof typeof FIELDS];

/** A form that was not accepted: what was typed, except the password, and why. */
export interface ErpFormProblem {
  /** The connection; null for the form of a new one. */
  connectionId: string | null;
  form: "connect" | "reconnect" | "settings" | "other";
  status: number;
  message: string;
  typed: Partial<Record<string, string>>;
  problems: Partial<Record<FieldName, string>>;
  /** What has to be confirmed first. */
  toConfirm?: PlanToConfirm;
}

/** Reads address, user and password. */
export function readAccess(request: Request) {
  return {
    url: fieldOf(request, "url").trim(),
    username: fieldOf(request, "user"),
    password: fieldOf(request, "password"),
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
    if (name !== undefined) problems[name] ??= `It ${message}.`;
  }
  const typed = Object.fromEntries(TYPED.map((name) => [name, fieldOf(request, name)]));
  const message = Object.keys(problems).length > 0 ? "Nothing was changed." : error.message;
  const toConfirm = error instanceof ConfirmationNeeded ? { toConfirm: error } : {};
  return { connectionId, form, status: error.httpStatus, message, typed, problems, ...toConfirm };
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
] as const;
const SHOWN = new Set(["validation_failed", "conflict", "sync_disabled", "connection_disconnected"]);
