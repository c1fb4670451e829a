import { z } from "zod";
import { isLoopbackUrl } from "../settings.ts";
import { domainOf, isDomain } from "./server-name.ts";

/** The schema that manifests name, and that this check agrees with. */
const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** RFC 3986, which is narrower than what URL parsers take. */
const URI = /^https:(?:[\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})+(?:#(?:[\w.~:/?@!$&'()*+,;=-]|%[\da-f]{2})*)?$/i;

const Https = z.string().refine((text) => URI.test(text) && URL.canParse(text), "is not an https address");

/** The part of the registry's schema that our manifests use, closed: its own is open, and a misspelled field passes it. */
const Manifest = z.strictObject({
  $schema: z.literal(SCHEMA),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/, "is not a domain backwards, a slash and a name"),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z
    .string()
    .max(255)
    .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/, "is not a version such as 1.2.3"),
  websiteUrl: Https.optional(),
  icons: z
    .array(
      z.strictObject({
        src: Https.max(255),
        mimeType: z.enum(["image/png", "image/jpeg", "image/jpg", "image/svg+xml", "image/webp"]),
        sizes: z.array(z.string().regex(/^(\d+x\d+|any)$/)),
      }),
    )
    .optional(),
  remotes: z.tuple([z.strictObject({ type: z.literal("streamable-http"), url: Https })]),
});

/** A fault of a manifest; `field` is its path. */
interface ManifestFault {
  readonly field: string;
  readonly message: string;
}

/** What keeps a manifest out of the MCP registry: faults by its schema, and by the rules that the schema does not know. */
export function manifestFaults(manifest: unknown): ManifestFault[] {
  const parsed = Manifest.safeParse(manifest);
  if (!parsed.success) return parsed.error.issues.map(({ path, message }) => ({ field: path.join("."), message }));
  const { name, remotes } = parsed.data;
  const [{ url }] = remotes;
  const { hostname } = new URL(url);
  const domain = domainOf(name);
  const isOwn = hostname === domain || hostname.endsWith(`.${domain}`);
  return [
    ...(isLoopbackUrl(url) || !isDomain(hostname)
      ? [{ field: "remotes.0.url", message: "names no host on the internet: PUBLIC_URL is the address clients reach" }]
      : []),
    ...(isOwn || name.startsWith("io.github.")
      ? []
      : [{ field: "name", message: `is a name of ${domain}, and the server is at ${hostname}: set SERVER_NAME` }]),
  ];
}
