/** Neither role owns a table, so row level security binds both: one sees its transaction's tenant, the other all. */
export const DATABASE_ROLES = { tenant: "receivables_tenant", system: "receivables_system" } as const;

/** Makes the roles where they are missing; roles are shared by a server's databases, so another process may be first. */
export const CREATE_ROLES = Object.values(DATABASE_ROLES).map(
  (role) => `
do $$ begin
  if not exists (select from pg_roles where rolname = '${role}') then create role ${role} nologin; end if;
exception when duplicate_object or unique_violation then null;
end $$`,
);

/** From 16 on, who made a role is its member and may give it away, but may act as it only once that was granted. */
const mayActAs = (role: string) =>
  `pg_has_role(current_user, ${role}, case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)`;

/** Lets the login user act as both, and both see the schema; repeated safely. */
export const GRANT_ROLES = [
  `do $$ begin
  if not ${mayActAs(`'${DATABASE_ROLES.tenant}'`)} or not ${mayActAs(`'${DATABASE_ROLES.system}'`)}
  then execute format('grant ${DATABASE_ROLES.tenant}, ${DATABASE_ROLES.system} to %I', current_user); end if;
exception when unique_violation then null;
end $$`,
  `do $$ begin
  execute format('grant usage on schema %I to ${DATABASE_ROLES.tenant}, ${DATABASE_ROLES.system}', current_schema());
exception when internal_error or unique_violation then null;
end $$`,
];

/** A condition: what {@link CREATE_ROLES} and {@link GRANT_ROLES} do is done. */
export const ROLES_IN_ORDER = `
  select count(*) = 2
    and bool_and(${mayActAs("oid")} and has_schema_privilege(oid, current_schema(), 'usage'))
  from pg_roles where rolname in ('${DATABASE_ROLES.tenant}', '${DATABASE_ROLES.system}')`;
