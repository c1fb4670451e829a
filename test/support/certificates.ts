import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { connect } from "node:net";
import { createServer } from "node:tls";
import { onTestFinished } from "vitest";
import { onLoopback } from "./http.ts";

/** A certificate and its key, both PEM, as `node:tls` takes them. */
export interface Credentials {
  readonly key: string;
  readonly cert: string;
}

/** An authority of the test's own. */
export interface Authority {
  readonly cert: string;
  /** Signs a certificate for a host name, good until that day. */
  issue(host: string, until?: Date): Credentials;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const OBJECT_ID = 0x06;
const OCTETS = 0x04;
const BITS = 0x03;

/** One value of ASN.1, in DER. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const ECDSA_WITH_SHA256 = der(SEQUENCE, der(OBJECT_ID, Buffer.from("2a8648ce3d040302", "hex")));
const TRUE = der(0x01, Buffer.from([0xff]));

const nameOf = (text: string): Buffer =>
  der(SEQUENCE, der(SET, der(SEQUENCE, der(OBJECT_ID, Buffer.from("550403", "hex")), der(0x0c, Buffer.from(text)))));

const time = (at: Date): Buffer => der(0x18, Buffer.from(`${at.toISOString().replace(/[-T:]/g, "").slice(0, 14)}Z`));

const extension = (id: string, value: Buffer, ...critical: readonly Buffer[]): Buffer =>
  der(SEQUENCE, der(OBJECT_ID, Buffer.from(id, "hex")), ...critical, der(OCTETS, value));

interface Signed {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  readonly signingKey: KeyObject;
  readonly until: Date;
  readonly extensions: readonly Buffer[];
}

const LONG_AGO = new Date("2020-01-01T00:00:00Z");
const LATER = new Date("2099-01-01T00:00:00Z");
let serial = 1;

function certificate({ subject, issuer, publicKey, signingKey, until, extensions }: Signed): string {
  const body = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, serial++])),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    der(SEQUENCE, time(LONG_AGO), time(until)),
    nameOf(subject),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(SEQUENCE, ...extensions)),
  );
  const signature = der(BITS, Buffer.from([0]), sign("sha256", body, signingKey));
  const base64 = der(SEQUENCE, body, ECDSA_WITH_SHA256, signature).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** Makes an authority that nobody knows yet. */
export function newAuthority(name: string): Authority {
  const { publicKey, privateKey: signingKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const isAuthority = extension("551d13", der(SEQUENCE, TRUE), TRUE);
  const own = { subject: name, issuer: name, publicKey, signingKey, until: LATER, extensions: [isAuthority] };
  return {
    cert: certificate(own),
    issue(host, until = LATER) {
      const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const extensions = [extension("551d11", der(SEQUENCE, der(0x82, Buffer.from(host))))];
      const signed = { subject: host, issuer: name, publicKey: pair.publicKey, signingKey, until, extensions };
      return { key: pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString(), cert: certificate(signed) };
    },
  };
}

/** Ends TLS before a port of this machine, until the test ends. Resolves to the port. */
export async function tlsBefore(port: number, credentials: Credentials): Promise<number> {
  const server = createServer({ ...credentials }, (socket) => {
    const inner = connect(port, "127.0.0.1");
    for (const one of [socket, inner]) one.on("error", () => undefined);
    socket.pipe(inner).pipe(socket);
  });
  server.on("tlsClientError", () => undefined);
  const { port: before, close } = await onLoopback(server, "localhost");
  onTestFinished(() => void close());
  return before;
}
