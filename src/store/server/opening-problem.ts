import { certificateProblem } from "../../certificate-problem.ts";
import { ConfigError } from "../../config.ts";
import { DATABASE_ROLES } from "../tenancy/roles.ts";
import { isPoolExhausted, POOL_EXHAUSTED, StoreUnavailable } from "../unavailable.ts";
import { type DatabaseServer, NoWritingHost } from "./database-server.ts";
import { DIRECT_SETTING, poolerInTheWay } from "./session.ts";

/** Why a connection fails, by the operating system's error code. */
const SYSTEM: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut off",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host's name cannot be looked up",
  ETIMEDOUT: "there is no answer",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the host cannot be reached",
  ENOENT: "there is no such socket",
  EACCES: "this user may not use the socket",
};

const ROLES = Object.values(DATABASE_ROLES).join(", ");

/** SQLSTATEs about the server, the user, the database or the URL's parameters, and not about a statement. */
const OF_SERVER = /^(08...|28...|3D...|53...|57P..|25006|22023)$/;

interface Way {
  /** The one that a problem lies with. */
  server: DatabaseServer;
  /** Whether DATABASE_DIRECT_URL leads past a pooler already. */
  isPooled: boolean;
}

/** A ConfigError of one line for a store that could not be opened; the error itself where no setting is at fault. */
export function openingProblem(error: unknown, { server, isPooled }: Way): unknown {
  if (!(error instanceof Error) || error instanceof ConfigError) return error;
  const { setting, places } = server;
  const line = (text: string): ConfigError => new ConfigError(`${setting}: ${text}`);
  if (error instanceof NoWritingHost) {
    const told = error.reasons.map(({ place, reason }) => `${place}: ${reasonOf(reason) ?? String(reason)}`);
    return line(`no server that takes writes: ${told.join("; ")}`);
  }
  if (error instanceof StoreUnavailable)
    return error.cause === undefined ? line(error.message) : openingProblem(error.cause, { server, isPooled });
  if (isPoolExhausted(error)) return line(POOL_EXHAUSTED);
  const code = codeOf(error);
  const [, parameter] = /unsupported startup parameter(?: in options)?: (\S+)/.exec(error.message) ?? [];
  // What pgbouncer says of options that a session of its own would have kept.
  if (parameter !== undefined) {
    if (!isPooled || setting === DIRECT_SETTING) return poolerInTheWay(setting);
    const remedy = "leave it out of the URL, or name it in the pooler's ignore_startup_parameters";
    return line(`the pooler at ${places} refuses the start-up parameter ${parameter}: ${remedy}`);
  }
  if (isCutOff(error)) return line(`what answers at ${places} is no PostgreSQL, or cut the connection off`);
  // An authority's certificate, or a key.
  if ("syscall" in error && error.syscall === "open") return line(`cannot read a file that it names: ${error.message}`);
  if ("syscall" in error && Object.hasOwn(SYSTEM, code)) return line(`no PostgreSQL at ${places}: ${SYSTEM[code]}`);
  // From PostgreSQL 16 on CREATEROLE does not reach roles that another installation's user made.
  if (/permission denied to grant role/.test(error.message))
    return line(
      `another installation on this server made the service's roles: have an administrator run "grant ${ROLES} to" its user`,
    );
  // Its users differ in nothing but what they may do: making roles is what the first start needs.
  if (code === "42501" && !isFatal(error))
    return line(`its user cannot prepare the store (${error.message}); it needs CREATEROLE at the first start`);
  const certificate = certificateProblem(error);
  if (certificate !== null) return line(`the certificate of PostgreSQL at ${places} ${certificate}`);
  const refusal = reasonOf(error);
  return refusal === null ? error : line(`PostgreSQL at ${places} refuses: ${refusal}`);
}

/** Why one host could not be used, in words; null for what is not known to be of the host. */
function reasonOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof StoreUnavailable) return error.cause === undefined ? error.message : reasonOf(error.cause);
  const certificate = certificateProblem(error);
  if (certificate !== null) return `its certificate ${certificate}`;
  const code = codeOf(error);
  if ("syscall" in error && Object.hasOwn(SYSTEM, code)) return SYSTEM[code] ?? null;
  if (isCutOff(error)) return "no PostgreSQL, or the connection was cut off";
  return isFatal(error) || OF_SERVER.test(code) || /\bSSL\b/.test(error.message) ? error.message : null;
}

const codeOf = (error: Error): string => ("code" in error ? String(error.code) : "");

/** A server that ends a connection over it, as over a parameter of the URL. */
const isFatal = (error: Error): boolean => "severity" in error && error.severity === "FATAL";

/** What the driver says of an answer that ends in the middle: it has no code. */
const isCutOff = (error: Error): boolean => /^Connection terminated/.test(error.message) || codeOf(error) === "EPIPE";
