import { parseLossless } from "../../../../src/gateways/erp/lossless-json.ts";

export const INVOICES = "/fscmRestApi/resources/11.13.18.05/receivablesInvoices";
export const RECEIPTS = "/fscmRestApi/resources/11.13.18.05/standardReceipts";
export const ACCOUNTS = "/crmRestApi/resources/11.13.18.05/accounts";

/** A GET as any REST client would send it; numbers in the body stay digits. */
export async function get(
  url: string,
  path: string,
  query: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return answerOf(await fetch(`${url}${path}?${new URLSearchParams(query)}`, { headers: { ...HEADERS, ...headers } }));
}

/** A POST likewise; a body that is text is sent as it is. */
export async function post(url: string, path: string, sent: unknown, type = "application/json"): Promise<Answer> {
  const body = typeof sent === "string" ? sent : JSON.stringify(sent);
  const headers = { ...HEADERS, "Content-Type": type };
  return answerOf(await fetch(`${url}${path}`, { method: "POST", headers, body }));
}

const HEADERS = { "REST-Framework-Version": "4", Accept: "application/json" };

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly body: Body;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  return { status: response.status, type, text, body: type.includes("json") ? bodyOf(text) : {} };
}

/** A JSON object of unknown content. */
export interface Body {
  readonly [name: string]: unknown;
  readonly items?: readonly Body[];
}

function bodyOf(text: string): Body {
  const parsed = parseLossless(text, (digits) => digits);
  return isBody(parsed) ? parsed : {};
}

const isBody = (value: unknown): value is Body => typeof value === "object" && value !== null;

/** One attribute of every item. */
export const column = (body: Body, name: string): unknown[] => (body.items ?? []).map((item) => item[name]);
