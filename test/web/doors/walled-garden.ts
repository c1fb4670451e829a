import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { createApiKey } from "../../../auth/api-keys/create-api-key.ts";
import { inviteMember } from "../../../auth/invitations/invite-member.ts";
import { startSession } from "../../../auth/sessions.ts";
import { addCustomerNote } from "../../../src/core/customers/operations/customer-notes.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { TENANT_TABLES } from "../../../src/store/tables/index.ts";
import { setAttempts } from "../../support/attempts.ts";
import type { AuthApp } from "../../support/auth-app.ts";
import { openBook } from "../../support/book.ts";
import { furnishAll } from "../../support/furnish.ts";
import { signInAndApprove } from "../../support/oauth-client.ts";
import { PASSWORD } from "../../support/people.ts";
import { rowOf } from "../../support/stored.ts";

/** Who knocks at a door: nobody, a member or an admin of the workspace, or an admin of another one. */
export type Caller = "nobody" | "member" | "admin" | "stranger";
export const CALLERS: readonly Caller[] = ["nobody", "member", "admin", "stranger"];

/** A workspace with one of everything that an address can name. */
export interface WalledGarden {
  readonly tenantId: string;
  /** The stranger's own workspace. */
  readonly elsewhere: string;
  /** Names that only its own people may read. */
  readonly secrets: readonly string[];
  /** A route's path with the ids of the workspace in it; a member has an assistant that nobody else takes away. */
  address(path: string, caller?: Caller): string;
  /** Queries with its ids, by the names that pages know. */
  readonly queries: readonly string[];
  /** A new session of one of the callers; null for nobody. */
  session(caller: Caller): Promise<string | null>;
}

/** Makes one; `hurt` is put before each name, as somebody would who attacks spreadsheets. */
export async function walledGarden(app: AuthApp, { hurt = "" } = {}): Promise<WalledGarden> {
  const { core } = app;
  const name = `${hurt}Walled Garden ${randomUUID().slice(0, 8)}`;
  const book = await openBook(core.store, { name });
  const { tenantId } = book;
  const secret = `${hurt}Secret Customer ${randomUUID().slice(0, 8)}`;
  const customer = await book.customer({ name: secret, number: `${hurt}4711` });
  const facts = { customer, invoice_number: `${hurt}INV-1`, payment_terms: `${hurt}30 days` };
  const { installments } = await book.invoice(facts, [{ due_date: "2026-01-31" }]);
  const [installment] = installments;
  if (installment === undefined) throw new Error("the invoice has no installment");
  const made = await furnishAll(core.store, book, installment);
  const payment = await rowOf(core.store, tenantId, "payments");
  const [admin, member] = [await app.addPerson(tenantId), await app.addPerson(tenantId, { role: "member" })];
  const { id: elsewhere } = await app.addWorkspace();
  const stranger = await app.addPerson(elsewhere);
  const key = await operate(core, tenantId, createApiKey, { name: `${hurt}key`, permission: "admin" });
  const about = {
    customerId: customer.customer_id,
    text: `${hurt}A note`,
    dueOn: core.clock.now().toISOString().slice(0, 10),
  };
  const note = await operate(core, tenantId, addCustomerNote, about);
  const actor = { kind: "person", tenantId, memberId: admin.memberId } as const;
  const asked = { core, requestId: "req_test" };
  const invitation = await inviteMember.call(actor, { email: `${randomUUID()}@example.com`, role: "member" }, asked);
  const colleague = await app.addPerson(tenantId, { role: "member" });
  const connect = async (): Promise<string> =>
    connectionIn((await signInAndApprove(app.origin, { email: member.email, password: PASSWORD })).accessToken);
  const [assistant, another] = [await connect(), await connect()];
  const people: Readonly<Record<Caller, { email: string } | null>> = { nobody: null, member, admin, stranger };
  const ids: Readonly<Record<string, string>> = {
    tenantId,
    memberId: colleague.memberId,
    invitationId: invitation.id,
    keyId: key.id,
    invoiceId: made.invoice_id,
    installmentId: installment.installment_id,
    connectionId: book.connectionId,
    taskId: made.task_id,
    runId: made.sync_run_id,
    customerId: customer.customer_id,
    key: customer.customer_id,
    paymentLinkId: made.payment_link_id,
    linkId: made.payment_link_id,
    workflowId: made.workflow_id,
    paymentId: payment.payment_id,
    itemId: randomUUID(),
    noteId: note.id,
    provider: "sandbox",
    type: "auto_generate",
    token: "A".repeat(43),
    uid: "A".repeat(21),
    act: "sync",
  };
  return {
    ...{ tenantId, elsewhere },
    secrets: [name, secret, admin.email, member.email],
    queries: [
      `?workspace=${tenantId}`,
      `?${new URLSearchParams({ customer_key: ids.key ?? "", invoice_id: ids.invoiceId ?? "", invoice: ids.invoiceId ?? "" })}`,
      `?${new URLSearchParams({ person: ids.memberId ?? "", connection: assistant })}`,
    ],
    address: (path, caller) =>
      path.replaceAll(/[{}]/g, "").replace(/:(\w+)/g, (_, parameter: string) => {
        if (parameter === "connectionId" && path.startsWith("/connections"))
          return caller === "member" ? another : assistant;
        const id = ids[parameter];
        if (id === undefined) throw new Error(`:${parameter} of ${path}: say in walled-garden.ts what it is`);
        return id;
      }),
    async session(caller) {
      const person = people[caller];
      if (person === null) return null;
      const row = await rowOf(core.store, null, "people", { email: person.email });
      const proof = { passwordHash: row.password_hash ?? "" };
      const who = { personId: row.person_id, tenantId: null, secondFactor: false, proof };
      const origin = { address: "192.0.2.1", requestId: "req_test", userAgent: null, replaced: null };
      // A test knocks more often than a person signs in.
      await setAttempts(core, `sign-ins:${row.person_id} null`, 600, 0);
      return startSession(core, who, origin);
    },
  };
}

function connectionIn(accessToken: string): string {
  const [, payload = ""] = accessToken.split(".");
  const claims: { connection_id: string } = JSON.parse(Buffer.from(payload, "base64url").toString());
  return claims.connection_id;
}

/** What reads and sign-ins write by themselves. */
const WRITTEN_BESIDE = /^(aging_|invoice_figures|invoice_totals|rate_windows|audit_entries)/;

/** Every row of the workspace, by table: what a refused request must not change. */
export function rowsOf({ core: { store } }: AuthApp, tenantId: string): Promise<Record<string, string[]>> {
  return store.read(tenantId, async (tx) => {
    const rows: Record<string, string[]> = {};
    for (const table of TENANT_TABLES) {
      if (WRITTEN_BESIDE.test(table)) continue;
      const found = await sql<{ text: string }>`
        select kept::text as text from ${sql.table(table)} as kept where kept.tenant_id = ${tenantId} order by 1`.execute(
        tx,
      );
      rows[table] = found.rows.map(({ text }) => text);
    }
    return rows;
  });
}
