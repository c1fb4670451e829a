import { beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/admin/commands/index.ts";
import { testCore } from "../support/core.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";
import { type CommandLine, terminalOn } from "./support.ts";

describe.each(A_STORE)("the command line on $name", ({ open }) => {
  const opened = useStore(open);
  let admin: CommandLine;
  beforeAll(async () => {
    admin = terminalOn(testCore(opened.store));
    await admin('workspace create --name "Acme Ltd" --timezone America/New_York');
  });

  it("makes, changes and lists workspaces [contract.admin.workspace]", async () => {
    const made = await admin.json('workspace create --name "Bergbau AG" --timezone Europe/Zurich --api-access off');
    expect(made).toMatchObject({ name: "Bergbau AG", api_access: false, assistant_access: true, assistants: "write" });
    const reading = await admin.json('workspace set --workspace "Bergbau AG" --assistants read');
    expect(reading).toEqual({ ...made, assistants: "read" });
    expect(await admin.json('workspace set --workspace "Bergbau AG" --assistants write')).toEqual(made);
    const unknown = await admin('workspace set --workspace "Bergbau AG" --assistants all');
    expect(unknown).toMatchObject({ code: 2, err: 'error: --assistants must be `read` or `write`, not "all"\n' });
    const changed = await admin.json(
      'workspace set --workspace "Bergbau AG" --timezone europe/vienna --assistant-access off',
    );
    expect(changed).toEqual({ ...made, timezone: "Europe/Vienna", assistant_access: false });
    expect(await admin.json(`workspace set --workspace ${made.id} --name Bergbau`)).toMatchObject({ name: "Bergbau" });
    expect((await admin.json("workspace list")).map((one: { name: string }) => one.name)).toEqual([
      "Acme Ltd",
      "Bergbau",
    ]);
    const { out } = await admin("workspace list");
    expect(out.split("\n")[0]).toMatch(/^id +name +timezone +api_access +assistant_access +assistants +created_at$/);
  });

  it("refuses a second workspace of a name [contract.admin.workspace]", async () => {
    const again = await admin('workspace create --name " Acme Ltd" --timezone UTC');
    expect(again).toEqual({ code: 1, out: "", err: "error: There is a workspace of this name already.\n" });
  });

  it("adds, promotes, removes and lists members [contract.admin.member] [contract.admin.stdin]", async () => {
    const added = await admin.json(
      'member add --workspace "Acme Ltd" --email Ann@Acme.test --role member --password-stdin',
      "a long password\n",
    );
    expect(added).toMatchObject({ email: "ann@acme.test", role: "member" });
    expect(await admin.json('member role --workspace "Acme Ltd" --email ann@acme.test --role admin')).toMatchObject({
      role: "admin",
    });
    expect(await admin.json('member list --workspace "Acme Ltd"')).toHaveLength(1);
    await admin.json('member remove --workspace "Acme Ltd" --email ann@acme.test');
    expect((await admin('member list --workspace "Acme Ltd"')).out).toBe("none\n");
  });

  it("makes, lists and revokes API keys [contract.admin.api-key]", async () => {
    const shown = await admin('api-key create --workspace "Acme Ltd" --name export --permission readonly');
    expect(shown.out).toMatch(/^key +rcv_\w{64}$/m);
    expect(shown.err).toBe("Keep the key now: it is not shown again.\n");
    const [key] = await admin.json('api-key list --workspace "Acme Ltd"');
    expect(key).toMatchObject({ name: "export", permission: "readonly", revoked_at: null });
    const revoked = await admin.json(`api-key revoke --workspace "Acme Ltd" --id ${key.id}`);
    expect(revoked.revoked_at).not.toBeNull();
  });

  it("says what was wrong with an input, by the option's name", async () => {
    const member = "member add --workspace X --email a@b.test --role";
    const cases: [line: string, message: string, stdin?: string][] = [
      ["workspace create --name X --timezone +02:00", "--timezone must be an IANA time zone name such as "],
      ['workspace create --name "  " --timezone UTC', "--name must not be empty"],
      ["workspace set --workspace X --api-access maybe", "--api-access must be on or off"],
      ["member add --workspace X --email nobody --role admin", "--email must be an email address"],
      [`${member} owner`, "--role must be admin or member"],
      [`${member} admin --password-stdin`, "--password-stdin must have at least 12 characters", "short\n"],
      [`${member} admin --password-stdin`, "--password-stdin is empty", "\n"],
      ["api-key revoke --workspace X --id 7", "--id "],
    ];
    for (const [line, message, stdin] of cases) {
      const { code, out, err } = await admin(line, stdin);
      expect({ code, out }, line).toEqual({ code: 2, out: "" });
      expect(err, line).toMatch(/^error: [^\n]+\n$/);
      expect(err).toContain(message);
    }
  });

  it("tells usage errors from refusals by the exit code", async () => {
    expect(await admin("workspace create --name X")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--timezone"),
    });
    expect(await admin("workspace list --nmae X")).toMatchObject({ code: 2, err: expect.stringContaining("--nmae") });
    expect(await admin("workspace list surplus")).toMatchObject({ code: 2 });
    expect(await admin("nonsense")).toMatchObject({ code: 2 });
    expect(await admin("workspace")).toMatchObject({ code: 2, err: expect.stringContaining("create") });
    expect(await admin("")).toMatchObject({ code: 2 });
  });

  it("has help at each level, and no option that takes a secret [contract.admin.help] [contract.admin.stdin]", async () => {
    const top = await admin("--help");
    expect(top.code).toBe(0);
    for (const { name, options } of COMMANDS) {
      const [noun = "", verb = ""] = name.split(" ");
      expect(top.out).toContain(noun);
      expect((await admin(`${noun} --help`)).out).toContain(verb);
      const { code, out } = await admin(`${name} --help`);
      expect(code).toBe(0);
      for (const { flag } of options) expect(out).toContain(flag);
      expect(out).toContain("--json");
      expect(out).not.toMatch(/--(password|secret-key) /);
    }
  });
});
