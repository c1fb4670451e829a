import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oidcArtifacts } from "../../auth/authorization-server/artifacts.ts";
import { readInvitation } from "../../auth/invitations/answer-invitation.ts";
import { inviteMember } from "../../auth/invitations/invite-member.ts";
import { loadSigningKeys } from "../../auth/signing-keys.ts";
import { readConfig } from "../../src/config.ts";
import { invitationToken } from "../../src/core/accounts/invitation-token.ts";
import { reencrypt } from "../../src/core/accounts/reencrypt.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { tokenHash } from "../../src/core/gate/mailed-token.ts";
import { Secrets } from "../../src/core/kernel/secrets.ts";
import { keepNextKey, loadEncryptionKeys, nextKey } from "../../src/encryption-key.ts";
import type { Mailer } from "../../src/gateways/mail/mailer.ts";
import { sendMails } from "../../src/jobs/send-mails.ts";
import { SEALED_COLUMNS, sealedValues } from "../../src/store/sealed-values.ts";
import { terminalOn } from "../admin/support.ts";
import { actAs } from "../support/acting.ts";
import { openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { integrationRow } from "../support/furnish.ts";
import { peopleOf } from "../support/people.ts";
import { everyRow, STORES, type TestStore } from "../support/stores.ts";

const key = (fill: number): Buffer => Buffer.alloc(32, fill);
const clientsOf = (core: Core) =>
  oidcArtifacts(core, { beforeUse: () => undefined, endGrant: async () => undefined }).adapter("Client");

describe("the encryption keys of a data folder", () => {
  it("change in steps that can each be the last [contract.operation.encryption-key]", () => {
    const dataDir = mkdtempSync(join(tmpdir(), "receivables-key-"));
    const settings = { encryptionKey: null, previousEncryptionKey: null, dataDir };
    const { current: old } = loadEncryptionKeys(settings);
    const next = nextKey(dataDir);
    expect(nextKey(dataDir)).toEqual(next);
    expect(loadEncryptionKeys(settings)).toEqual({ current: old, previous: [next] });
    keepNextKey(dataDir, new Date());
    expect(loadEncryptionKeys(settings)).toEqual({ current: next, previous: [] });
    expect(existsSync(join(dataDir, "encryption.key.next"))).toBe(false);
    expect(statSync(join(dataDir, "encryption.key")).mode & 0o777).toBe(0o600);
    rmSync(dataDir, { recursive: true });
  });

  it("come from the environment in pairs [contract.operation.encryption-key]", () => {
    const [ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS] = [key(1), key(2)].map((bytes) => bytes.toString("base64"));
    expect(loadEncryptionKeys(readConfig({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS }))).toEqual({
      current: key(1),
      previous: [key(2)],
    });
    expect(() => readConfig({ ENCRYPTION_KEY_PREVIOUS })).toThrow(/^ENCRYPTION_KEY_PREVIOUS: /);
  });
});

it("every place that keeps an encrypted value is known to the change of keys [contract.operation.encryption-key]", () => {
  const root = resolve(import.meta.dirname, "../..");
  const sources = ["src", "auth"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => readFileSync(join(root, folder, name), "utf8")),
  );
  const named = sources
    .filter((text) => text.includes("secrets.encrypt(") || /function \w*[pP]lace(Of)?\(/.test(text))
    .flatMap((text) => [...text.matchAll(/`([a-z_]+)\/\$\{/g)].map(([, table]) => table));
  expect([...new Set(named)].sort()).toEqual(SEALED_COLUMNS.map(({ table }) => table).sort());
});

describe.each(STORES)("a change of the encryption key, $name", ({ open }) => {
  let opened: TestStore;
  let core: Core;
  const invitationId = randomUUID();

  beforeAll(async () => {
    opened = await open();
    core = { ...testCore(opened.store), secrets: new Secrets(key(1)) };
    await furnish();
  });
  afterAll(() => opened.remove());

  /** A value in every place that keeps one. */
  async function furnish(): Promise<void> {
    const { store, secrets } = core;
    const { tenantId, connectionId } = await openBook(store);
    const integration = integrationRow(tenantId);
    const id = integration.payment_integration_id;
    integration.secrets = secrets.encrypt("keys", `payment_integrations/${id}`);
    const provider = {
      tenant_id: tenantId,
      issuer: "https://login.example.com",
      client_id: "receivables",
      client_secret: secrets.encrypt("upstream", `sign_in_providers/${tenantId}`),
      trust_email: false,
      created_at: "2026-03-01T00:00:00.000Z",
    };
    const { memberId } = await peopleOf(core).addPerson(tenantId);
    await loadSigningKeys(core);
    await store.directory(async (tx) => {
      const { person_id } = await tx
        .selectFrom("members")
        .select("person_id")
        .where("member_id", "=", memberId)
        .executeTakeFirstOrThrow();
      const secret = secrets.encrypt("totp", `second_factors/${person_id}`);
      const created_at = provider.created_at;
      await tx
        .insertInto("second_factors")
        .values({ person_id, secret, confirmed_at: null, last_step: "0", created_at })
        .execute();
    });
    await clientsOf(core).upsert("client-1", { client_id: "client-1", client_secret: "oauth" }, 3600);
    await everyRow(store, async (tx) => {
      await tx
        .updateTable("erp_connections")
        .set({ credential: secrets.encrypt("erp", `erp_connections/${connectionId}`) })
        .where("connection_id", "=", connectionId)
        .execute();
      await tx.insertInto("payment_integrations").values(integration).execute();
      await tx.insertInto("sign_in_providers").values(provider).execute();
      await sql`insert into invitations (tenant_id, invitation_id, email, role, token_hash, invited_by, created_at, expires_at)
        values (${tenantId}, ${invitationId}, 'new@example.com', 'member',
          ${tokenHash(invitationToken(core, invitationId))}, ${memberId}, now(), now() + interval '1 day')`.execute(tx);
      await sql`insert into outgoing_mails (tenant_id, mail_id, kind, recipient, subject_id, status, next_attempt_at, created_at)
        values (${tenantId}, ${randomUUID()}, 'invitation', 'new@example.com', ${invitationId}, 'queued', now(), now())`.execute(
        tx,
      );
    });
  }

  /** Every encrypted value there is, wherever it stands. */
  function sealedAnywhere(): Promise<string[]> {
    return everyRow(core.store, async (tx) => {
      const { rows: columns } = await sql<{ table: string; column: string }>`
        select table_name as table, column_name as column from information_schema.columns
        where table_schema = current_schema() and data_type in ('text', 'jsonb') and table_name not like 'kysely%'`.execute(
        tx,
      );
      const found: string[] = [];
      for (const { table, column } of columns) {
        const { rows } = await sql<{ text: string }>`
          select ${sql.ref(column)}::text as text from ${sql.table(table)}
          where ${sql.ref(column)}::text ~ 'v1\\.[A-Za-z0-9_-]{38,}'`.execute(tx);
        found.push(...rows.flatMap(({ text }) => text.match(/v1\.[\w-]{38,}/g) ?? []));
      }
      return found;
    });
  }

  const rotate = (secrets: Secrets, keyFolder: string | null) =>
    terminalOn({ ...core, secrets }, { keyFolder })("encryption-key rotate --json");

  it("puts everything stored under the new key, and the old one is needed no more [contract.operation.encryption-key]", async () => {
    const before = await sealedAnywhere();
    expect(before).toHaveLength(SEALED_COLUMNS.length);
    const refused = await rotate(new Secrets(key(1)), null);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("ENCRYPTION_KEY_PREVIOUS") });

    const done = await rotate(new Secrets(key(2), [key(1)]), null);
    expect(JSON.parse(done.out)).toEqual({ reencrypted: before.length, current: 0, unreadable: 0, earlier_key: null });
    const after = await sealedAnywhere();
    expect(after.filter((value) => before.includes(value))).toEqual([]);

    const renewed = { ...core, secrets: new Secrets(key(2)) };
    for (const place of SEALED_COLUMNS)
      for (const { id, sealed } of await everyRow(core.store, (tx) => sealedValues(tx, place)))
        expect(renewed.secrets.decrypt(sealed, `${place.table}/${id}`)).not.toBe("");
    expect(await loadSigningKeys(renewed)).toHaveLength(1);
    expect(await clientsOf(renewed).find("client-1")).toMatchObject({ client_secret: "oauth" });
    const { rows } = await everyRow(core.store, (tx) =>
      sql<{ token_hash: string }>`select token_hash from invitations`.execute(tx),
    );
    expect(rows).toEqual([{ token_hash: tokenHash(invitationToken(renewed, invitationId)) }]);
  });

  it("goes on where it was cut off, and leaves alone what it cannot read [contract.operation.encryption-key]", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "receivables-key-"));
    const settings = { encryptionKey: null, previousEncryptionKey: null, dataDir };
    // A data folder with a key of its own, over values under another: nothing is touched, and the next key stays.
    const { current: own } = loadEncryptionKeys(settings);
    const lost = await rotate(new Secrets(own), dataDir);
    expect(lost.code).toBe(1);
    expect(JSON.parse(lost.out)).toMatchObject({ reencrypted: 0, unreadable: SEALED_COLUMNS.length });
    expect(loadEncryptionKeys(settings).previous).toHaveLength(1);

    // Everything under the next key, and the process gone before that was kept.
    const next = nextKey(dataDir);
    await reencrypt({ core: { ...core, secrets: new Secrets(next, [key(2)]) } });
    const { current, previous } = loadEncryptionKeys(settings);
    const finished = await rotate(new Secrets(current, previous), dataDir);
    expect(JSON.parse(finished.out)).toEqual({
      ...{ reencrypted: 0, current: SEALED_COLUMNS.length, unreadable: 0 },
      earlier_key: expect.stringMatching(/encryption\.key\.until-\d{4}-\d\d-\d\dT/),
    });
    const { earlier_key: earlier } = JSON.parse(finished.out);
    expect(statSync(earlier).mode & 0o777).toBe(0o600);
    expect(readFileSync(earlier, "utf8")).toBe(`${own.toString("base64")}\n`);
    expect(loadEncryptionKeys(settings)).toEqual({ current: next, previous: [] });
    rmSync(dataDir, { recursive: true });
  });
});

describe.each(STORES)("while the encryption key is changed, $name", ({ open }) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.remove());

  const old = new Secrets(key(1), [key(2)]);
  const renewed = new Secrets(key(2), [key(1)]);
  it.each([
    { way: "old", inviting: old, mailing: renewed },
    { way: "new", inviting: renewed, mailing: old },
  ])(
    "an invitation by a process with the $way key is good from whichever mails it [contract.operation.encryption-key]",
    async ({ inviting, mailing }) => {
      const plain = testCore(opened.store);
      const { tenantId } = await openBook(opened.store);
      const { memberId } = await peopleOf(plain).addPerson(tenantId);
      const email = `${randomUUID()}@example.com`;
      await actAs({ ...plain, secrets: inviting }, { tenantId, memberId }, inviteMember, { email, role: "member" });
      const texts: string[] = [];
      const mailer: Mailer = {
        async send({ text, messageId }) {
          texts.push(text);
          return { messageId, response: "taken" };
        },
      };
      const other = { ...plain, secrets: mailing };
      const publicOrigin = "https://receivables.example.com";
      await sendMails(other, { mailer, fromAddress: "no-reply@example.com", publicOrigin });
      expect(texts).toHaveLength(1);
      const token = /invitations\/([\w-]{43})/.exec(texts.join())?.[1] ?? "";
      expect(await readInvitation(other, token)).not.toBeNull();
    },
  );
});
