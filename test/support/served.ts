import { createServer, type RequestListener } from "node:http";
import { onTestFinished } from "vitest";
import { onLoopback } from "./http.ts";

/** A server of the test's own, which ends with it. Resolves to its address. */
export async function served(handle: RequestListener): Promise<string> {
  const { url, close } = await onLoopback(createServer(handle));
  onTestFinished(close);
  return url;
}
