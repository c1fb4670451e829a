import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { type CallToolResult, CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

const Invoices = z.object({ data: z.array(z.object({ id: z.string() })) });
const Detail = z.object({
  id: z.string(),
  installments: z.array(z.object({ id: z.string(), collectible: z.boolean(), available_amount: z.string() })),
});

/** A tool's result. */
export async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> {
  const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: args }));
  if (result.isError === true) throw new Error(JSON.stringify(result.content));
  return result;
}

/** Installments that a payment link can be made for. */
export async function collectible(client: Client): Promise<{ invoice_id: string; installment_id: string }[]> {
  const open = await call(client, "list_invoices", { collection_status: "open", has_active_payment_link: false });
  const ids = Invoices.parse(open.structuredContent).data.slice(0, 5);
  const found = await Promise.all(ids.map(({ id }) => call(client, "get_invoice", { invoice_id: id })));
  return found.flatMap(({ structuredContent }) => {
    const { id, installments } = Detail.parse(structuredContent);
    return installments
      .filter((one) => one.collectible && !/^[0.]*$/.test(one.available_amount))
      .map((one) => ({ invoice_id: id, installment_id: one.id }));
  });
}
