import { z } from "zod";
import { isWebhookSecret } from "../../gateways/payments/stripe/client.ts";
import { minorDigits } from "../kernel/currencies.ts";
import { Uuid } from "../kernel/wire-types.ts";

/** A key as a person pastes it. */
const Key = z
  .string()
  .trim()
  .max(500)
  .regex(/^[!-~]+$/, "must be one word of printable ASCII");

/** Only Stripe has one; those kept from before this was asked of them stay good. */
export const WebhookSecret = z
  .string()
  .trim()
  .max(500)
  .refine(isWebhookSecret, "must start with whsec_, as Stripe's webhook secrets do");

/** What an operator says of an integration. */
export const IntegrationInput = {
  provider: z.enum(["stripe", "sandbox"]).describe("kind of payment provider"),
  /** ISO 4217 codes it charges. */
  currencies: z
    .array(z.string().refine((code) => minorDigits(code) !== undefined, "must be an ISO 4217 code in capitals"))
    .min(1)
    .max(300)
    .transform((codes) => [...new Set(codes)].sort()),
  /** Of a provider that has keys. */
  keys: z.strictObject({ secretKey: Key, webhookSecret: WebhookSecret }),
  /** Where its API is reached, when not at its own address. */
  apiBase: z.url().max(500).describe("stripe: where its API is reached, for a proxy or simulator"),
};

/** One integration of a provider; its id where there are several. */
export const Which = {
  provider: IntegrationInput.provider,
  integration: Uuid.optional().describe("the integration, where the workspace has several of the provider"),
};
