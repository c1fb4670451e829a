import { type RawBuilder, type SqlBool, sql } from "kysely";

/** Who signed in, and where that counts. */
export interface SignedIn {
  readonly personId: string;
  /**
   * The one workspace the sign-in counts for: its OpenID provider vouched for the person, and answers for no other
   * workspace of theirs, nor for what is theirs everywhere (such as the password). Null where they proved themselves to us.
   */
  readonly tenantId: string | null;
  /** They proved a second factor besides their password. */
  readonly secondFactor: boolean;
}

/** Whether a sign-in counts in the workspace of a column, such as `member.tenant_id`: by what that asks of one now. */
export function countsIn({ tenantId, secondFactor }: Omit<SignedIn, "personId">, column: string): RawBuilder<SqlBool> {
  return tenantId === null ? suffices(column, sql`${secondFactor}::boolean`) : sql`${sql.ref(column)} = ${tenantId}`;
}

/** Whether a password suffices, or would with a second factor where `secondFactor` is true. */
function suffices(column: string, secondFactor: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql`not exists (select from sign_in_rules as rule where rule.tenant_id = ${sql.ref(column)}
    and (rule.second_factor and not ${secondFactor} or rule.provider_only and exists (
      select from sign_in_providers as provider where provider.tenant_id = rule.tenant_id)))`;
}
