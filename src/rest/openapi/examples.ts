import type { Schema } from "./schemas.ts";

/** What a field of this name holds in examples; a schema that does not allow it wins. */
const VALUES: Readonly<Record<string, unknown>> = {
  id: "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
  tenant_id: "5d0c2a34-1f7e-4b6b-8a90-3c2b1a0f9e8d",
  tenant_name: "Northwind Traders",
  invoice_id: "018f5b1e-7c1a-4d3e-9b52-6a0c4f8d2e11",
  connection_id: "7a1f3c52-9d4b-4c8e-8e21-b0a9d8c7f6e5",
  customer_id: "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
  customer_key: "c2d4e6f8-0a1b-4c3d-9e5f-7a8b9c0d1e2f",
  customer_name: "Globex GmbH",
  customer_number: "100482",
  name: "Globex GmbH",
  number: "100482",
  contact_name: "Ada Meyer",
  email: "billing@globex.example",
  invoice_number: "INV-20417",
  currency: "EUR",
  currencies: ["EUR", "USD"],
  timezone: "Europe/Berlin",
  payment_terms: "Net 30",
  collection_mode: "payment_link",
  balance_basis: "finero_reconciled_current",
  revision: "9f86d081884c7d659a2feaa0c55ad015",
  next_cursor: "q1s9Lm0c2VhbGVkX2N1cnNvcg",
  cursor: "q1s9Lm0c2VhbGVkX2N1cnNvcg",
  search: "globex",
  total_count: 412,
  limit: 25,
  invoice_count: 1,
  installment_count: 1,
  invoice_installment_count: 1,
  sequence_number: 1,
  days_overdue: 12,
  interval_minutes: 60,
  auto_sync_interval_minutes: 60,
  request_id: "3f1c8e0a-5b7d-4e2f-9a6c-1d0b2e4f6a8c",
  amount: "1250.00",
  amount_minor: 125000,
  installment_id: "6b9d1c3e-2f4a-4e5b-8c7d-9a0b1c2d3e4f",
  payment_link_id: "0d1e2f3a-4b5c-4d6e-8f70-8192a3b4c5d6",
  payment_integration_id: "e1f2a3b4-c5d6-4e7f-8091-a2b3c4d5e6f7",
  url: "https://buy.stripe.com/8wM5nX2aB",
  to: "billing@globex.example",
  paid_at: null,
  deactivated_at: null,
  sent_at: null,
  erp_push_status: "applied",
  erp_push_error: null,
  erp_receipt_number: "R-0F4KJ3ZQ",
  outstanding: "1250.00",
  overdue: "1250.00",
  days_1_30: "1250.00",
  current: "0.00",
  days_31_60: "0.00",
  days_61_90: "0.00",
  over_90: "0.00",
  amount_collected: "0.00",
  bucket: "days_1_30",
  collection_status: "open",
  origin: "erp",
  revoked_at: null,
  erp_push_state: null,
  not_collectible_reason: null,
  error: null,
  configured_at: null,
  dismissed_at: null,
  reason: null,
  message: "What went wrong, in words.",
};
const INSTANT = "2026-03-10T15:00:00.000Z";
const DATE = "2026-03-31";

/** An example of what a schema describes, made of the values its field names stand for; `components` resolves references. */
export function exampleOf(schema: Schema, components: Readonly<Record<string, Schema>>, name = ""): unknown {
  if (typeof schema.$ref === "string") {
    const target = components[schema.$ref.split("/").at(-1) ?? ""];
    return target === undefined ? null : exampleOf(target, components, name);
  }
  if (schema.const !== undefined) return schema.const;
  const types = typesOf(schema);
  const known = VALUES[name];
  if (known !== undefined && allows(schema, types, known)) return known;
  if (schema.enum !== undefined) return schema.enum[0];
  if (types.includes("object"))
    return Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([field, member]) => [field, exampleOf(member, components, field)]),
    );
  if (types.includes("array")) return schema.items === undefined ? [] : [exampleOf(schema.items, components)];
  if (types.includes("boolean")) return true;
  if (types.includes("integer")) return schema.minimum ?? 0;
  return textOf(schema);
}

function typesOf({ type }: Schema): readonly string[] {
  return typeof type === "string" ? [type] : (type ?? []);
}

function allows(schema: Schema, types: readonly string[], value: unknown): boolean {
  if (schema.enum !== undefined) return schema.enum.some((member) => member === value);
  if (value === null) return types.includes("null");
  if (Array.isArray(value)) return types.includes("array");
  if (typeof value === "number") return types.includes("integer");
  return types.includes(typeof value);
}

function textOf({ format, pattern }: Schema): string {
  if (format === "uuid") return String(VALUES.id);
  if (format === "date-time") return INSTANT;
  if (format === "date") return DATE;
  return pattern === undefined ? "text" : "1250.00";
}
