import { createSecureContext, createServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { fetchBy } from "../../src/gateways/outgoing.ts";
import { newAuthority } from "../support/certificates.ts";
import { onLoopback } from "../support/http.ts";

const HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n";
/** Of OpenSSL: the second handshake sends the certificate again. */
const SSL_OP_NO_TICKET = 0x4000;

test.each(["another.example", "localhost"])(
  "an answer in which the server goes on as %s ends nothing else",
  async (name) => {
    const authority = newAuthority("Receivables Test Authority");
    const before = getCACertificates("default");
    setDefaultCACertificates([...before, authority.cert]);
    onTestFinished(() => setDefaultCACertificates(before));
    const later = authority.issue(name);
    const options = {
      ...authority.issue("localhost"),
      maxVersion: "TLSv1.2",
      secureOptions: SSL_OP_NO_TICKET,
    } as const;
    const asked: (Error | null)[] = [];
    const server = createServer(options, (socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => {
        socket.write(HEAD);
        socket.setKeyCert(createSecureContext(later));
        socket.renegotiate({ rejectUnauthorized: false }, (error) => {
          asked.push(error);
          socket.end("x".repeat(100));
        });
      });
    });
    const { port, close } = await onLoopback(server, "localhost");
    onTestFinished(() => void close());
    const read = fetchBy(async () => [{ address: "127.0.0.1", family: 4 }])(`https://localhost:${port}/`);
    const text = read.then((answer) => answer.text());
    if (name === "localhost") expect(await text).toHaveLength(100);
    else await expect(text).rejects.toThrow(TypeError);
    expect(asked).toEqual([null]);
  },
);
