import { CONNECTION_ARGUMENT } from "./arguments.ts";
import { prompt } from "./prompt.ts";

export default prompt({
  name: "held_receipts",
  title: "Held receipts",
  description: "Receipts that wait to be posted to the ERP: look through them, then push those you approve.",
  arguments: { connection: CONNECTION_ARGUMENT },
  tools: ["list_erp_connections", "list_payments", "push_held_payments"],
  values: ({ connection }) => ({ only: connection === undefined ? "" : `, connection_id=${connection}` }),
});
