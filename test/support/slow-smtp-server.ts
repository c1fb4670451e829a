import { setTimeout as sleep } from "node:timers/promises";
import { SMTPServer } from "smtp-server";

/** A mail that an SMTP server accepted: which, and in which life of the service. */
export interface Accepted {
  readonly messageId: string;
  readonly life: number;
  /** Whom it went to. */
  readonly to: string;
  /** The day by the service's clock. */
  readonly day: string;
  /** Its lines as they were before they were wrapped. */
  readonly text: string;
}

/** An SMTP server that takes its time before it says that it has accepted a mail. */
export async function slowSmtpServer(lifeNow: () => number, acceptMs: number, now = () => new Date()) {
  const accepted: Accepted[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 10,
    async onData(stream, session, callback) {
      const life = lifeNow();
      let raw = "";
      try {
        for await (const chunk of stream) raw += String(chunk);
      } catch {
        // Whoever sent it was killed before all of it was there.
        return;
      }
      const messageId = /^Message-ID: <([^@>]+)@/im.exec(raw)?.[1] ?? "";
      const to = session.envelope.rcptTo.map(({ address }) => address).join();
      const day = now().toISOString().slice(0, 10);
      accepted.push({ messageId, life, to, day, text: raw.replaceAll("=\r\n", "") });
      await sleep(acceptMs);
      callback();
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    accepted,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
