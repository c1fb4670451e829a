import type { Request } from "express";
import type { z } from "zod";
import { ServiceError } from "../../core/kernel/error.ts";
import type { IntegrationInput } from "../../core/payment-integrations/integration-input.ts";
import { ConfirmationNeeded } from "../../core/workflows/plan-schema.ts";
import type { PlanToConfirm } from "../kit/plan-confirmation.ts";
import { fieldOf } from "../kit/site.ts";

export type Provider = z.output<typeof IntegrationInput.provider>;

/** The fields of the forms that connect a provider. */
export type FieldName = "secret_key" | "webhook_secret" | "currencies";

/** A form as it was sent. Keys are in `keys` only, which no page shows. */
export interface ConnectForm {
  provider: Provider;
  /** As the person wrote them. */
  currencies: string;
  /** The codes as they were typed; the operation takes capitals. */
  codes: string[];
  keys: { secretKey: string; webhookSecret: string } | null;
  /** The plan that the person confirmed, if any; else empty. */
  confirmed: string;
}

/** Why a form was not accepted: on top of it, and under its fields. */
export interface FormProblem {
  status: number;
  message: string;
  fields: Partial<Record<FieldName, string>>;
  /** What has to be confirmed first, and the value that says so. */
  toConfirm?: PlanToConfirm;
}

/** Reads a form; codes are separated by commas or white space, in upper or lower case. */
export function readConnectForm(request: Request, provider: Provider): ConnectForm {
  const currencies = fieldOf(request, "currencies");
  const codes = currencies.split(/[\s,;]+/).filter((code) => code !== "");
  const [secretKey, webhookSecret] = [fieldOf(request, "secret_key").trim(), fieldOf(request, "webhook_secret").trim()];
  const keys = provider === "stripe" ? { secretKey, webhookSecret } : null;
  return { provider, currencies, codes, keys, confirmed: fieldOf(request, "confirmed") };
}

/** All that is wrong with a form before anybody is asked, fields that are empty too; null where nothing is. */
export function faultsOf(form: ConnectForm, validate: () => unknown): FormProblem | null {
  const lacking = missing(form);
  try {
    validate();
    return lacking;
  } catch (error) {
    const { message, status, fields } = formProblemOf(error, form);
    return { message, status, fields: { ...fields, ...lacking?.fields } };
  }
}

/** The required fields that are empty; null when none is. */
function missing({ codes, keys }: ConnectForm): FormProblem | null {
  const fields: FormProblem["fields"] = {
    ...(keys?.secretKey === "" && { secret_key: "Give the secret key." }),
    ...(keys?.webhookSecret === "" && { webhook_secret: "Give the webhook secret." }),
    ...(codes.length === 0 && { currencies: "Give at least one currency." }),
  };
  return Object.keys(fields).length === 0 ? null : { status: 400, message: NOT_CONNECTED, fields };
}

const NOT_CONNECTED = "The provider was not connected.";

/** An error of the core as the form shows it. Rethrows errors that are not about the form. */
export function formProblemOf(error: unknown, { codes }: ConnectForm): FormProblem {
  if (!(error instanceof ServiceError) || !SHOWN.has(error.code)) throw error;
  if (error instanceof ConfirmationNeeded) {
    const { httpStatus: status, message, plan, expected } = error;
    return { status, message: `${message} ${NOT_CONNECTED}`, fields: {}, toConfirm: { plan, expected } };
  }
  const fields: FormProblem["fields"] = {};
  for (const { field, message } of error.details ?? []) {
    const [, index] = /^currencies\[(\d+)\]$/.exec(field) ?? [];
    const code = index === undefined ? undefined : codes[Number(index)];
    const name = FIELDS[field.replace(/\[\d+\]$/, "")];
    if (name !== undefined)
      fields[name] ??= code === undefined ? message : `${code} ${message.replace(" in capitals", "")}`;
  }
  const message = Object.keys(fields).length > 0 ? NOT_CONNECTED : error.message;
  return { status: error.httpStatus, message, fields };
}

const SHOWN = new Set(["validation_failed", "currency_not_supported", "integration_unavailable", "conflict"]);

/** The field of the form that an error's detail belongs to; others are shown above the form. */
const FIELDS: Readonly<Record<string, FieldName>> = {
  currencies: "currencies",
  "keys.secretKey": "secret_key",
  "keys.webhookSecret": "webhook_secret",
};
