import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** The HTTP server of a simulator. */
export interface LocalServer {
  /** Port 0 takes a free one. Resolves to the base address. */
  listen(port?: number, host?: string): Promise<string>;
  /** Ends every connection, hanging ones too. */
  close(): Promise<void>;
  /** The base address. Throws before it listens. */
  readonly url: string;
}

/** A server that drops the connection of a request whose answer rejects. */
export function localServer(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): LocalServer {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  let address: string | undefined;
  return {
    listen: (port = 0, host = "127.0.0.1") =>
      new Promise((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          const bound = server.address();
          const name = host.includes(":") ? `[${host}]` : host;
          address = `http://${name}:${typeof bound === "object" && bound !== null ? bound.port : port}`;
          resolve(address);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    get url() {
      if (address === undefined) throw new Error("the simulator does not listen yet");
      return address;
    },
  };
}

/** The body as text; throws RangeError when it is longer. */
export async function bodyOf(request: IncomingMessage, maxLength: number): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += String(chunk);
    if (text.length > maxLength) throw new RangeError("too large");
  }
  return text;
}
