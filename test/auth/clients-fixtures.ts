import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const FOLDER = join(import.meta.dirname, "clients");

/** Parameters of a request; `{mcp_url}` and `{origin}` stand for the service's own. */
const Params = z.record(z.string(), z.string());

/** A client as its public documents describe it, or as it was recorded. */
const ClientFixture = z
  .strictObject({
    client: z.string(),
    /** Where it is described. */
    source: z.url(),
    /** What it registers with (RFC 7591). */
    registration: z.looseObject({ client_name: z.string(), redirect_uris: z.array(z.string()) }).optional(),
    /** What it publishes at its `client_id`. */
    published: z
      .looseObject({ client_id: z.url(), client_name: z.string(), redirect_uris: z.array(z.string()) })
      .optional(),
    authentication: z.enum(["none", "client_secret_post", "client_secret_basic", "private_key_jwt"]),
    /** Whom its assertions are for. */
    assertion_audience: z.string().optional(),
    /** Where it has its person sent this time. */
    redirect_uri: z.string(),
    /** The origin of its own page, where it runs in a browser. */
    origin: z.string().optional(),
    /** The newest protocol revision it knows. */
    revision: z.string().default("2025-06-18"),
    /** What its requests carry beside what every one of their kind carries. */
    authorization: Params,
    token: Params,
    refresh: Params,
  })
  .refine(({ registration, published }) => (registration === undefined) !== (published === undefined));

export type ClientFixture = z.output<typeof ClientFixture>;

/** The clients of test/auth/clients, by the names of their files. */
export function clientFixtures(): ClientFixture[] {
  return readdirSync(FOLDER).map((name) => ClientFixture.parse(JSON.parse(readFileSync(join(FOLDER, name), "utf8"))));
}
