import { type Kysely, sql } from "kysely";
import { wall } from "./001-receivables.ts";

const STATEMENTS = `
create table invitations (
  tenant_id uuid not null references tenants,
  invitation_id uuid not null,
  email text not null,
  role text not null check (role in ('admin', 'member')),
  token_hash text not null unique,
  invited_by uuid not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  accepted_at timestamptz(3),
  withdrawn_at timestamptz(3),
  primary key (tenant_id, invitation_id),
  foreign key (tenant_id, invited_by) references members
);
create unique index invitations_open on invitations (tenant_id, email) where accepted_at is null and withdrawn_at is null;

alter table outgoing_mails drop constraint outgoing_mails_kind_check;

alter table outgoing_mails add constraint outgoing_mails_kind_check check (kind in ('task_assigned', 'invitation'));
`;

export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [STATEMENTS, wall("invitations")].flatMap((text) => text.split(";\n"));
  for (const statement of statements) {
    if (statement.trim() !== "") await sql.raw(statement).execute(db);
  }
}
