import { z } from "zod";
import type { Core } from "../src/core/gate/dependencies.ts";
import { sealedCookie } from "./sealed-cookie.ts";

/** The field that says whom a form was made for, and which of its fields are never kept. */
export const MAKER_FIELD = "form_maker";
export const KEPT_SECONDS = 900;
/** A cookie has 4,096 characters at most, with its name and attributes. */
const LONGEST = 3_800;

const Fields = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const Kept = z.strictObject({
  path: z.string(),
  workspace: z.string().nullable(),
  maker: z.string(),
  fields: Fields,
  expiresAt: z.number(),
});
const cookies = sealedCookie("form that its session did not outlast", KEPT_SECONDS, Kept);

/** Where a form is sent to, and the browser and the person that it was made for. */
interface Made {
  readonly path: string;
  readonly browser: string;
  readonly personId: string;
}

const textOf = ({ path, browser, personId }: Made) => JSON.stringify([path, browser, personId]);
const SECRET = /<input id="[^"]*" name="([^"]*)" [^>]*(?:type="password"|one-time-code)/g;

/** The value of {@link MAKER_FIELD} for a form of this markup; null where nothing is typed in it. */
export function makerOf({ secrets }: Core, markup: string, made: Made) {
  if (!markup.includes("<label")) return null;
  const names = [...markup.matchAll(SECRET)].map(([, name = ""]) => name);
  return [secrets.seal("maker", textOf(made)).toString("base64url"), ...names].join(" ");
}

/** Where a form was sent: the same path may be a page of each workspace. Null for the workspace: the path says all. */
interface SentTo {
  readonly path: string;
  readonly workspace: string | null;
}

/** The cookie for a form that was sent, without its secrets; null for one that is long, or does not say whose it is. */
export function sealKept(core: Core, to: SentTo, sent: unknown) {
  const { [MAKER_FIELD]: maker, form_token: _, ...fields } = Fields.safeParse(sent).data ?? {};
  if (typeof maker !== "string") return null;
  const [seal = "", ...names] = maker.split(" ");
  for (const name of names) delete fields[name];
  const cookie = cookies.seal(core, { ...to, maker: seal, fields });
  return cookie.length > LONGEST ? null : cookie;
}

/** The form that a cookie keeps for an address, of no other workspace; null for none. */
export function openKept(core: Core, cookie: string | undefined, { path, workspace }: SentTo) {
  const kept = cookies.open(core, cookie);
  const isOfAnother = workspace !== null && kept !== null && kept.workspace !== null && kept.workspace !== workspace;
  return kept?.path === path && !isOfAnother ? kept : null;
}

/** Whether a form that is kept was made for that person in that browser. */
export function isMadeFor(
  { secrets }: Core,
  { path, maker }: z.output<typeof Kept>,
  browser: string,
  personId: string,
) {
  const given = Buffer.from(maker, "base64url");
  return given.length === 32 && secrets.sealMatches("maker", textOf({ path, browser, personId }), given);
}
