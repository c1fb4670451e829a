import { z } from "zod";
import { operation, PAGES_READ } from "../../gate/operation.ts";
import { foldText } from "../../kernel/text.ts";
import { Uuid } from "../../kernel/wire-types.ts";
import { customersFound, customersNamedBy } from "../queries.ts";

/** Customers that a search shows. */
const SHOWN = 20;

const Text = z.string().nullable();
const NamedCustomer = z.strictObject({ id: Uuid, name: Text, number: Text, email: Text });

/** The names of customers, and those whose name, number or email has a text in it: what people choose customers by. */
export const findCustomers = operation({
  id: "findCustomers",
  summary: "Find customers by name, number or email",
  ...PAGES_READ,
  input: z.strictObject({ ids: z.array(Uuid).max(1_000), search: z.string().max(100).nullable() }),
  output: z.strictObject({ named: z.array(NamedCustomer), found: z.array(NamedCustomer) }),
  async run({ tx, actor: { tenantId } }, { ids, search }) {
    const text = foldText(search?.trim() ?? "");
    return {
      named: ids.length === 0 ? [] : await customersNamedBy(tx, tenantId, ids),
      found: text === "" ? [] : await customersFound(tx, tenantId, { text, limit: SHOWN }),
    };
  },
});
