import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { connectMailer, smtpMailer, smtpSettings } from "../../../src/gateways/mail/index.ts";
import { onLoopback } from "../../support/http.ts";
import { failure, message, refusal, smtpServer } from "./support.ts";

const IMPATIENT = { connectMs: 200, silenceMs: 200 };

/** A server that speaks only what it is told to: the first line to whoever connects, then one for each command. */
async function speaking(...lines: readonly (string | null)[]): Promise<string> {
  const server = createServer((socket) => {
    const left = [...lines];
    const say = (): void => {
      const line = left.shift();
      if (line === null) socket.destroy();
      else if (line !== undefined) socket.write(`${line}\r\n`);
    };
    socket.on("error", () => {});
    socket.on("data", say);
    say();
  });
  const { port, close } = await onLoopback(server);
  onTestFinished(() => void close());
  return `smtp://127.0.0.1:${port}`;
}

describe("a message by SMTP", () => {
  it("arrives as it was composed, both parts, at one recipient [completions.7.smtp]", async () => {
    const { port, delivered } = await smtpServer();
    const sent = message({ replyTo: "office@acme.example" });
    const mailer = connectMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, outboxFolder: "/nowhere" });
    const accepted = await mailer.send(sent);
    expect(accepted).toEqual({
      messageId: `<${sent.messageId}@acme.example>`,
      response: expect.stringMatching(/^250 /),
    });
    expect(delivered).toHaveLength(1);
    expect(delivered[0]).toMatchObject({ from: "billing@acme.example", to: ["pat@customer.example"], user: undefined });
    expect(delivered[0]?.email).toMatchObject({
      messageId: accepted.messageId,
      from: { name: sent.from.name, address: sent.from.address },
      to: [{ name: "", address: sent.to }],
      subject: sent.subject,
      replyTo: [{ name: "", address: "office@acme.example" }],
    });
    expect(delivered[0]?.email.text?.trimEnd()).toBe(sent.text.trimEnd());
    expect(delivered[0]?.email.html?.trimEnd()).toBe(sent.html);
    const headers = new Map(delivered[0]?.email.headers.map(({ key, value }) => [key, value]));
    expect(headers.get("auto-submitted")).toBe("auto-generated");
    expect(headers.get("content-type")).toMatch(/^multipart\/alternative/);
    expect(headers.has("x-mailer")).toBe(false);
  });

  it("keeps its Message-ID when it is sent again", async () => {
    const { port, delivered } = await smtpServer();
    const mailer = smtpMailer(`smtp://127.0.0.1:${port}`);
    const ids = [await mailer.send(message()), await mailer.send(message())].map(({ messageId }) => messageId);
    expect(new Set([...ids, ...delivered.map(({ email }) => email.messageId)]).size).toBe(1);
    const other = await mailer.send(message({ messageId: "another" }));
    expect(other.messageId).toBe("<another@acme.example>");
  });

  it("is sent as the user of the URL", async () => {
    const { port, delivered } = await smtpServer({
      authOptional: false,
      onAuth: ({ username, password }, _session, callback) =>
        password === "p@ss:wörd/" ? callback(null, { user: username }) : callback(refusal(535, `bad ${password}`)),
    });
    const url = (password: string) => `smtp://us%40er:${encodeURIComponent(password)}@127.0.0.1:${port}`;
    await smtpMailer(url("p@ss:wörd/")).send(message());
    expect(delivered[0]?.user).toBe("us@er");
    const error = await failure(smtpMailer(url("hunter-2")).send(message()));
    expect(error).toMatchObject({
      kind: "temporary",
      publicMessage: "The mail server rejected the user name or password.",
    });
    expect(error.message).toContain("535");
    expect(error.message).not.toContain("hunter-2");
  });
});

describe("a message that is refused", () => {
  it.each([
    [450, "temporary"],
    [451, "temporary"],
    [421, "temporary"],
    [550, "permanent"],
    [554, "permanent"],
  ])("at its recipient with %i is a %s failure [facts.email.errors]", async (code, kind) => {
    const { port, delivered } = await smtpServer({
      onRcptTo: (_address, _session, callback) => callback(refusal(code, "no\u001b[31m <pat@customer.example>")),
    });
    const error = await failure(smtpMailer(`smtp://127.0.0.1:${port}`).send(message()));
    expect(error.kind).toBe(kind);
    expect(error.publicMessage).not.toContain("pat@");
    expect(error.message).not.toContain("\u001b");
    expect(delivered).toEqual([]);
  });

  it.each([
    [452, "temporary"],
    [552, "permanent"],
  ])("for its content with %i is a %s failure [facts.email.errors]", async (code, kind) => {
    const { port } = await smtpServer({
      onData(stream, _session, callback) {
        stream.resume().on("end", () => callback(refusal(code, "not this")));
      },
    });
    expect((await failure(smtpMailer(`smtp://127.0.0.1:${port}`).send(message()))).kind).toBe(kind);
  });

  it.each([
    [450, "temporary"],
    [553, "permanent"],
  ])("for its sender with %i is a %s failure [facts.email.errors]", async (code, kind) => {
    const { port } = await smtpServer({
      onMailFrom: (_address, _session, callback) => callback(refusal(code, "not you")),
    });
    expect((await failure(smtpMailer(`smtp://127.0.0.1:${port}`).send(message()))).kind).toBe(kind);
  });

  it.each([
    ["nobody greets", []],
    ["the server is full", ["421 later"]],
    ["it wants nothing of us", ["554 go away"]],
    ["it is no mail server", ["HTTP/1.1 400 Bad Request"]],
    ["it hangs up", ["220 hi", null]],
    ["it hangs up amid the message", ["220 hi", "250 ok", "250 ok", "250 ok", "354 go on", null]],
    ["it falls silent amid the message", ["220 hi", "250 ok", "250 ok", "250 ok", "354 go on"]],
  ])("because %s is a temporary failure [facts.email.errors]", async (_, lines) => {
    const error = await failure(smtpMailer(await speaking(...lines), IMPATIENT).send(message()));
    expect(error.kind).toBe("temporary");
    expect(error.publicMessage).toMatch(/^The mail server (cannot be reached|cannot take)/);
  });

  it("because nobody listens, or by a name nobody has, is a temporary failure [facts.email.errors]", async () => {
    for (const url of ["smtp://127.0.0.1:1", "smtps://127.0.0.1:1"])
      expect((await failure(smtpMailer(url, IMPATIENT).send(message()))).kind).toBe("temporary");
  });

  it("because the server's certificate is nobody's is a temporary failure, and nothing was said", async () => {
    let connected = false;
    const { port } = await smtpServer({
      secure: true,
      onConnect(_session, callback) {
        connected = true;
        callback();
      },
    });
    expect((await failure(smtpMailer(`smtps://u:p@127.0.0.1:${port}`, IMPATIENT).send(message()))).kind).toBe(
      "temporary",
    );
    expect(connected).toBe(false);
  });

  it("because the service stops is a temporary failure, at once", async () => {
    const stop = AbortSignal.timeout(50);
    const url = await speaking("220 hi");
    const start = performance.now();
    expect((await failure(smtpMailer(url).send(message(), { signal: stop }))).kind).toBe("temporary");
    expect(performance.now() - start).toBeLessThan(8_000);
  });
});

describe("an SMTP URL", () => {
  it.each([
    ["smtp://mail.example", { host: "mail.example", port: 587, secure: false }],
    ["smtp://mail.example:25/", { host: "mail.example", port: 25, secure: false }],
    ["smtps://mail.example", { host: "mail.example", port: 465, secure: true }],
    ["smtp://[::1]:2525", { host: "::1", port: 2525, secure: false }],
    [
      "smtp://u%2B1:p%20@mail.example",
      { host: "mail.example", port: 587, secure: false, auth: { user: "u+1", pass: "p " }, requireTLS: true },
    ],
    [
      "smtp://u:p@localhost:25",
      { host: "localhost", port: 25, secure: false, auth: { user: "u", pass: "p" }, requireTLS: false },
    ],
  ])("%s", (url, settings) => {
    expect(smtpSettings(url)).toEqual(settings);
  });

  it.each(["", "mail.example:25", "http://mail.example", "smtp://", "smtp://h/path", "smtp://h?x=1", "smtp://u:%zz@h"])(
    "is not %j",
    (url) => {
      expect(() => smtpMailer(url)).toThrow(RangeError);
    },
  );

  it("with a password is not used without TLS, away from this machine", async () => {
    const { port, delivered } = await smtpServer();
    const mailer = smtpMailer(`smtp://u:p@127.0.0.2:${port}`, IMPATIENT);
    expect((await failure(mailer.send(message()))).kind).toBe("temporary");
    expect(delivered).toEqual([]);
  });
});
