import { z } from "zod";
import { StripeFault } from "./answers.ts";
import { type FormValue, withLists } from "./form.ts";

const Whole = z
  .string()
  .regex(/^-?\d{1,15}$/, "Invalid integer")
  .transform(Number);
const Flag = z.enum(["true", "false"]).transform((text) => text === "true");
const Metadata = z.record(z.string().max(40), z.string().max(500));
const One = z.literal("1");

const PriceData = z.strictObject({
  currency: z.string().regex(/^[a-z]{3}$/, "Invalid currency"),
  unit_amount: Whole,
  product_data: z.strictObject({ name: z.string().min(1).max(250) }),
});

const Create = z.strictObject({
  line_items: z.tuple([z.strictObject({ quantity: One, price_data: PriceData })]),
  restrictions: z
    .strictObject({ completed_sessions: z.strictObject({ limit: Whole.pipe(z.int().min(1)) }) })
    .optional(),
  metadata: Metadata.default({}),
  payment_intent_data: z
    .strictObject({ metadata: Metadata.default({}), description: z.string().max(1000).optional() })
    .default({ metadata: {} }),
  after_completion: z
    .strictObject({
      type: z.literal("hosted_confirmation"),
      hosted_confirmation: z.strictObject({ custom_message: z.string().max(500) }).optional(),
    })
    .default({ type: "hosted_confirmation" }),
  inactive_message: z.string().max(500).optional(),
});

const Update = z.strictObject({ active: Flag.optional(), metadata: Metadata.optional() });

const Page = { limit: Whole.pipe(z.int().min(1).max(100)).default(10), starting_after: z.string().optional() };
const List = z.strictObject({ ...Page, active: Flag.optional() });

const SessionList = z.strictObject({
  ...Page,
  payment_link: z.string().optional(),
  status: z.enum(["open", "complete", "expired"]).optional(),
});

const EventList = z.strictObject({
  ...Page,
  ending_before: z.string().optional(),
  types: z.array(z.string()).max(20).optional(),
  created: z.strictObject({ gte: Whole.optional() }).optional(),
});
export type EventQuery = z.output<typeof EventList>;

/** The parameters of a payment link that the simulator understands: a single price, made with it. */
export type LinkParameters = z.output<typeof Create>;

export const readCreate = (form: FormValue): LinkParameters => read(Create, form);
export const readUpdate = (form: FormValue): z.output<typeof Update> => read(Update, form);
export const readList = (form: FormValue): z.output<typeof List> => read(List, form);
export const readSessionList = (form: FormValue): z.output<typeof SessionList> => read(SessionList, form);
export const readEventList = (form: FormValue): EventQuery => read(EventList, form);

function read<T extends z.ZodType>(schema: T, form: FormValue): z.output<T> {
  const parsed = schema.safeParse(withLists(form));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [];
  const [first = "", ...rest] = [...(issue?.path ?? []), ...unknown].map(String);
  const param = first + rest.map((part) => `[${part}]`).join("");
  if (unknown.length > 0)
    throw new StripeFault(`Received unknown parameter: ${param}`, { code: "parameter_unknown", param });
  throw new StripeFault(`${issue?.message ?? "Invalid"}: ${param}`, { code: "parameter_invalid", param });
}

const THREE_DECIMALS = ["bhd", "jod", "kwd", "omr", "tnd"];
const TWO_DECIMALS_ALWAYS_ZERO = ["isk", "ugx"];
const MOST = 99_999_999;

/** Stripe's rules of amounts. Throws a fault. */
export function checkAmount(amount: number, currency: string, charged: ReadonlySet<string>, least: number): void {
  const where = "line_items[0][price_data]";
  if (!charged.has(currency))
    throw new StripeFault(`Invalid currency: ${currency}. Stripe currently supports these currencies: …`, {
      param: `${where}[currency]`,
    });
  const param = `${where}[unit_amount]`;
  if (amount < least) throw new StripeFault("Amount is too small.", { code: "amount_too_small", param });
  if (amount > MOST) throw new StripeFault("Amount is too large.", { code: "amount_too_large", param });
  const step = THREE_DECIMALS.includes(currency) ? 10 : TWO_DECIMALS_ALWAYS_ZERO.includes(currency) ? 100 : 1;
  if (amount % step !== 0)
    throw new StripeFault(`Amounts in ${currency} must be divisible by ${step}.`, { code: "parameter_invalid", param });
}
