import { DynamicModule, type JoinBuilder } from "kysely";

const { ref } = new DynamicModule();

/** The `on` of a join between rows of one tenant: `.innerJoin("invoices", sameTenant("invoices", "payments", "invoice_id"))`. */
export function sameTenant(joined: string, to: string, column: string, toColumn = column) {
  return <DB, TB extends keyof DB>(join: JoinBuilder<DB, TB>) =>
    join
      .onRef(ref(`${joined}.tenant_id`), "=", ref(`${to}.tenant_id`))
      .onRef(ref(`${joined}.${column}`), "=", ref(`${to}.${toColumn}`));
}
