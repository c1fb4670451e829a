import type { IncomingMessage } from "node:http";
import type { Response } from "express";

/** A cookie that is HttpOnly and SameSite=Lax, and Secure on https. */
export interface Cookie {
  read(request: IncomingMessage): string | undefined;
  set(response: Response, value: string, maxAgeSeconds: number): void;
  clear(response: Response): void;
}

/** A cookie by its plain name; on https it carries the `__Host-` prefix, which ties it to this host. */
export function cookie(name: string, publicOrigin: string): Cookie {
  const secure = publicOrigin.startsWith("https:");
  const fullName = secure ? `__Host-${name}` : name;
  // Looked for by its name: to take a header of thousands of cookies apart costs milliseconds.
  const own = new RegExp(`(?<=^\\s*|;\\s*)${fullName}=([^;]*)`, "g");
  const attributes = { httpOnly: true, sameSite: "lax", secure, path: "/" } as const;
  return {
    read: (request) => [...(request.headers.cookie ?? "").matchAll(own)].at(-1)?.[1]?.trimEnd(),
    set: (response, value, seconds) => void response.cookie(fullName, value, { ...attributes, maxAge: seconds * 1000 }),
    clear: (response) => void response.clearCookie(fullName, attributes),
  };
}
