import { type Kysely, sql } from "kysely";

/**
 * Makes a table's primary key its newest index, for whoever adds an index to a table that others refer to. Of indexes that
 * look alike while a table is small the planner takes the newest, and a connection's checks of foreign keys keep the plan
 * they began with: with any other index each check of a growing table would look through a whole tenant.
 */
export async function renewPrimaryKey(db: Kysely<unknown>, table: string): Promise<void> {
  await sql
    .raw(`
do $$
declare
  key text := (select pg_get_constraintdef(oid) from pg_constraint where conrelid = '${table}'::regclass and contype = 'p');
  reference record;
  statement text;
  statements text[] := '{}';
begin
  for reference in
    select conrelid::regclass as source, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where confrelid = '${table}'::regclass and contype = 'f'
  loop
    statements := statements || format('alter table %s add constraint %I %s', reference.source, reference.name, reference.definition);
  end loop;
  alter table ${table} drop constraint ${table}_pkey cascade;
  execute 'alter table ${table} add constraint ${table}_pkey ' || key;
  foreach statement in array statements loop
    execute statement;
  end loop;
end $$`)
    .execute(db);
}
