import { type Kysely, sql } from "kysely";

const KINDS = [
  ...["task_assigned", "invitation", "assistant_connected", "assistant_extended", "password_reset"],
  ...["password_changed", "password_was_reset", "password_replaced", "password_set", "password_chosen"],
  ...["factor_on", "factor_off", "factor_removed", "recovery_codes_renewed", "recovery_code_used"],
  ...["sign_in_linked", "sign_in_unlinked"],
];

const STATEMENTS = [
  "alter table outgoing_mails drop constraint outgoing_mails_kind_check",
  `alter table outgoing_mails add constraint outgoing_mails_kind_check
    check (kind in (${KINDS.map((kind) => `'${kind}'`).join(", ")}))`,
];

/** A person is told by mail of every change of what they sign in with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
