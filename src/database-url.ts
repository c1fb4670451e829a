/** Where a PostgreSQL server listens. */
export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** A database URL, parsed as far as the driver does not. */
export interface DatabaseAddress {
  /** Of the first host; the driver knows one. What it does not know, and what would replace our own options, is left out. */
  readonly connectionString: string;
  /** Each of several, in order; empty for a single one, which the driver finds itself. */
  readonly hosts: readonly DatabaseHost[];
  /** Server options that the URL brings, as in `-c search_path=receivables`. */
  readonly options: string;
}

const DEFAULT_PORT = 5432;
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)([^?#]*)(?:\?([^#]*))?/;
/** A password with an unescaped `/`, `?`, `#` or `@`: its end would be taken for a host, and logged. */
const UNESCAPED = /#|:\/\/[^?]*\/[^?]*@/;
const ESCAPE = "must be a postgres:// URL, special characters in its password as in %40 for @";
const HOST = /^(?:\[([\da-f:.%]+)\]|([^:[\]\s]+))(?::(\d{1,5}))?$/i;
/** The service writes, so it takes a server that does; these words of libpq's say so, or nothing. */
const WRITING = new Set(["any", "read-write", "primary"]);

/** Takes a URL of one host or several (`h1:5432,h2:5433`) apart; a string is why it cannot be used. */
export function parseDatabaseUrl(text: string): DatabaseAddress | string {
  const [, begin, authority = "", path = "", query = ""] = PARTS.exec(text) ?? [];
  if (begin === undefined) return "must be a postgres:// URL";
  if (UNESCAPED.test(text)) return ESCAPE;
  const parameters = query.split("&").filter((parameter) => parameter !== "");
  const parameterOf = (name: string): string | null => new URLSearchParams(query).get(name);
  const wanted = parameterOf("target_session_attrs") ?? "any";
  if (!WRITING.has(wanted)) return "must be of a server that takes writes: target_session_attrs=read-write";
  const isOfLibpq = new URLSearchParams(query).getAll("uselibpqcompat").at(-1) === "true";
  const kept = parameters
    .filter((parameter) => !/^(target_session_attrs|options)=/.test(parameter))
    .map((parameter) => (isOfLibpq ? parameter : verifying(parameter)));
  const places = authority.split(",");
  const hosts = places.length > 1 ? places.map(hostOf) : [];
  if (hosts.includes(null)) return "must name each of its hosts as host:port, with commas between them";
  const connectionString = `${begin}${places[0]}${path}${kept.length > 0 ? `?${kept.join("&")}` : ""}`;
  if (!isReadable(connectionString)) return ESCAPE;
  return { connectionString, hosts: hosts.filter((host) => host !== null), options: parameterOf("options") ?? "" };
}

/** What the driver takes for `verify-full`; it says of them, in eight lines, that its next major version will not. */
const VERIFYING = new Set(["prefer", "require", "verify-ca"]);

/** The same parameter by the name that says what it does: no mode here means less than to verify the server's certificate. */
function verifying(parameter: string) {
  const mode = new URLSearchParams(parameter).get("sslmode");
  return mode !== null && VERIFYING.has(mode) ? "sslmode=verify-full" : parameter;
}

/** The hosts and ports of a database, without user and password, for messages. */
export function placesOf(databaseUrl: string) {
  const [, , authority = ""] = PARTS.exec(databaseUrl) ?? [];
  return authority === "" ? "its socket" : authority.replaceAll(",", ", ");
}

function hostOf(place: string): DatabaseHost | null {
  const [, address, name, port] = HOST.exec(place) ?? [];
  const host = address ?? name;
  const number = port === undefined ? DEFAULT_PORT : Number(port);
  return host === undefined || number < 1 || number > 65_535 ? null : { host, port: number };
}

/** Whether the driver can read it; a socket's address has no host. */
function isReadable(text: string) {
  const url = URL.parse(text) ?? URL.parse(text.replace("@/", "@localhost/"));
  if (url === null) return false;
  // Where one percent sign stands for itself the driver takes all of them so.
  if (/%(?![\da-f]{2})/i.test(text)) return true;
  try {
    decodeURIComponent(`${url.username}${url.password}${url.hostname}${url.pathname}`);
    return true;
  } catch {
    return false;
  }
}
