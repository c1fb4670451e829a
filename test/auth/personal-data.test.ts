import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { linkMember } from "../../auth/identities/link-member.ts";
import { inviteMember } from "../../auth/invitations/invite-member.ts";
import { listMembers } from "../../auth/members/member.ts";
import { BY_EMAIL, BY_MEMBER, BY_PERSON } from "../../auth/members/personal-data-queries.ts";
import { addCustomerNote } from "../../src/core/customers/operations/customer-notes.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { dumpedRows } from "../../src/store/dump.ts";
import { terminalOn } from "../admin/support.ts";
import { actAs } from "../support/acting.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { connectionRow, customerRow } from "../support/book.ts";
import { Browser } from "../support/browser.ts";
import { everyRow } from "../support/every-row.ts";
import { connectPerson } from "../support/oauth-person.ts";
import { addRows, rowOf } from "../support/stored.ts";
import { STORES } from "../support/stores.ts";
import { signedIn } from "../support/threats/requests.ts";

describe.each(STORES)("what is kept about a person on $name", ({ open }) => {
  const site = useAuthApp(open, { trustProxy: true });
  let people = 0;

  /** A member who did and was told all that leaves something behind; in two workspaces. */
  async function ada() {
    const { core } = site.app;
    people += 1;
    const [name, address, subject] = [`Ada Lovelace-${people}`, `203.0.113.${people}`, `subject-of-ada-${people}`];
    const person = await connectPerson(site.app);
    const { email, workspace, memberId } = person;
    const other = await site.app.addWorkspace();
    const elsewhere = await site.app.addPerson(other.id, { email });
    await everyRow(core.store, async (tx) => {
      await tx.updateTable("people").set({ name }).where("email", "=", email).execute();
      for (const tenant_id of [workspace.id, other.id])
        await tx
          .updateTable("members")
          .set({ name })
          .where((column) => column.and({ tenant_id, email }))
          .execute();
    });
    const browser = Object.assign(new Browser(site.app.origin), { headers: { "x-forwarded-for": address } });
    await signedIn(browser, email);
    await signedIn(
      Object.assign(new Browser(site.app.origin), { headers: { "x-forwarded-for": address } }),
      email,
      "a guess",
    );
    const forgotten = new Browser(site.app.origin);
    await forgotten.submit(await forgotten.open("/password/forgotten"), "Send the link", { email });
    await operate(core, workspace.id, linkMember, { email, issuer: "https://login.example.test", subject });
    const connection = connectionRow(workspace.id);
    const customer = customerRow(workspace.id, connection.connection_id);
    await addRows(core.store, workspace.id, { erp_connections: connection, customers: customer });
    const author = { kind: "person", tenantId: workspace.id, memberId } as const;
    const note = { customerId: customer.customer_id, text: "Called them" };
    await addCustomerNote.call(author, note, { core, requestId: "note" });
    const { person_id: personId } = await rowOf(core.store, null, "people", { email });
    return { name, address, subject, email, personId, workspace, other, memberIds: [memberId, elsewhere.memberId] };
  }
  const admin = (line: string) => terminalOn(site.app.core)(line);
  /** Every row of the store, by table. */
  const everything = () =>
    everyRow(site.app.core.store, async (tx) =>
      (await Array.fromAsync(dumpedRows(tx))).map(({ table, json }) => ({ table, json })),
    );
  const naming = async (...words: readonly string[]) =>
    (await everything()).filter(({ json }) => words.some((word) => json.toLowerCase().includes(word.toLowerCase())));

  it("is exported whole, without secrets [contract.admin.member-export]", async () => {
    const { address, subject, email, personId, memberIds } = await ada();
    const { code, out, err } = await admin(`member export --all --email ${email}`);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const told: { workspace: object; account: object }[] = JSON.parse(out);
    expect(told).toHaveLength(2);
    const tables = new Set(
      told.flatMap(({ workspace, account }) => [...Object.keys(workspace), ...Object.keys(account)]),
    );
    const kept = new Set((await naming(email, personId, ...memberIds)).map(({ table }) => table));
    // Leads to a workspace, and says nothing else.
    kept.delete("tenant_routes");
    expect([...kept].filter((table) => !tables.has(table))).toEqual([]);
    expect(out).toContain(address);
    expect(out).toContain(subject);
    expect(out).not.toMatch(/_hash|argon2|"secret"|payload/);
    const nobody = await admin("member export --all --email nobody@example.test");
    expect(nobody).toMatchObject({ code: 1, err: expect.stringContaining("nobody@example.test") });
  });

  it("is shown in rows that are bounded, with their count [contract.admin.member-export]", async () => {
    const { email, workspace, memberIds } = await ada();
    await site.app.core.store.write(workspace.id, async (tx) => {
      await sql`insert into audit_entries (tenant_id, entry_id, at, actor_kind, actor_id, operation, outcome, request_id)
        select ${workspace.id}, gen_random_uuid(), now(), 'person', ${memberIds[0]}::uuid, 'test', 'succeeded', 'r'
        from generate_series(1, 10001)`.execute(tx);
    });
    const { out } = await admin(`member export --workspace ${workspace.id} --email ${email}`);
    const [told] = JSON.parse(out);
    expect(told.workspace.audit_entries).toHaveLength(10_000);
    expect(Number(told.workspace["all audit_entries"][0].count)).toBeGreaterThan(10_001);
  });

  it("is erased: no row has name, email or address any more, and what they did stays [contract.admin.member-erase]", async () => {
    const { name, address, subject, email, personId, workspace, other, memberIds } = await ada();
    const acts = async () =>
      (await everything()).filter(({ table, json }) => table === "audit_entries" && json.includes(memberIds[0] ?? ""))
        .length;
    const before = await acts();
    expect(before).toBeGreaterThan(3);
    const first = await admin(`member erase --workspace ${workspace.id} --yes --email ${email} --json`);
    expect(JSON.parse(first.out)).toEqual([{ name: workspace.name, account: "kept", has_admin: false, keys: null }]);
    expect(await naming(email)).not.toEqual([]);
    const rest = await admin(`member erase --all --yes --email ${email} --json`);
    expect(JSON.parse(rest.out)).toEqual([{ name: other.name, account: "erased", has_admin: false, keys: null }]);

    expect(await naming(email, name, `"${address}"`, subject)).toEqual([]);
    expect(await acts()).toBeGreaterThanOrEqual(before);
    expect((await naming(personId)).map(({ table }) => table).sort()).toEqual(["members", "members", "people"]);
    const shut = await signedIn(new Browser(site.app.origin), email);
    expect(shut.status).not.toBe(200);
    expect(await admin(`member erase --all --email ${email}`)).toMatchObject({ code: 1 });
    for (const where of ["", `--all --workspace ${workspace.id}`])
      expect(await admin(`member erase ${where} --email ${email}`)).toMatchObject({
        code: 1,
        err: expect.stringContaining("--workspace must be given, or --all"),
      });
    // The address is free for somebody new.
    expect((await admin(`member add --workspace ${workspace.id} --email ${email} --role member`)).code).toBe(0);
  });

  it("is not erased as the only admin of a workspace until that is confirmed [contract.admin.member-erase]", async () => {
    const { core } = site.app;
    const [here, there] = [await site.app.addWorkspace(), await site.app.addWorkspace()];
    const { email, memberId } = await site.app.addPerson(here.id, { role: "admin" });
    await site.app.addPerson(there.id, { email, role: "admin" });
    await site.app.addPerson(there.id, { role: "admin" });
    const key = { name: "Export", permission: "readonly" } as const;
    await actAs(core, { tenantId: here.id, memberId }, createApiKey, key);
    const refused = await admin(`member erase --all --email ${email}`);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining(`is the only admin of ${here.name}, and cannot be brought back.`),
    });
    expect(await operate(core, here.id, listMembers, {})).toHaveLength(1);
    const part = await admin(`member erase --workspace ${there.id} --email ${email}`);
    expect(part.err).toContain("Their account stays, because another workspace knows them");
    const { code, err } = await admin(`member erase --all --yes --email ${email}`);
    expect(code).toBe(0);
    expect(err).toContain(`${here.name} has no admin now`);
    expect(err).toContain(`${here.name}: 1 API key that they made works on. api-key list says which`);
    expect(await operate(core, here.id, listMembers, {})).toEqual([]);
  });

  it("covers every column of the schema that leads to a person [contract.admin.member-export]", async () => {
    const { rows } = await everyRow(site.app.core.store, (tx) =>
      sql<{ place: string; table: string }>`
        select class.relname || '.' || attribute.attname as place, class.relname as "table"
        from pg_attribute as attribute join pg_class as class on class.oid = attribute.attrelid
        where class.relnamespace = current_schema()::regnamespace and class.relkind = 'r' and attribute.attnum > 0
          and attribute.attname ~ '(person_id|member_id|assignee_id|author_id|actor_id|_by_id|^email$|recipient|user_agent|^address$)'`.execute(
        tx,
      ),
    );
    const covered = new Set(Object.keys({ ...BY_EMAIL, ...BY_MEMBER, ...BY_PERSON }));
    // A customer's address, not a member's.
    const others = new Set(["customers.email", "link_emails.recipient"]);
    expect(rows.filter(({ place, table }) => !covered.has(table) && !others.has(place))).toEqual([]);
    expect(rows.length).toBeGreaterThan(10);
  });

  it("of somebody who was only invited is shown and erased too [contract.admin.member-erase]", async () => {
    const { core } = site.app;
    const workspace = await site.app.addWorkspace();
    const { memberId } = await site.app.addPerson(workspace.id);
    const email = `${randomUUID()}@example.test`;
    await actAs(core, { tenantId: workspace.id, memberId }, inviteMember, { email, role: "member" });
    const { out } = await admin(`member export --workspace ${workspace.id} --email ${email}`);
    expect(JSON.parse(out)).toMatchObject([
      { workspace: { invitations: [{ email }], outgoing_mails: [{ recipient: email }] } },
    ]);
    const erased = await admin(`member erase --workspace ${workspace.id} --email ${email} --json`);
    expect(JSON.parse(erased.out)).toEqual([
      { name: workspace.name, account: "none", has_admin: expect.any(Boolean), keys: null },
    ]);
    expect(await naming(email)).toEqual([]);
  });
});
