const UNKNOWN_ISSUER = "is signed by an authority that the service does not know";

/** What is wrong with a server's certificate, in our words, by the code that Node's TLS gives it. */
const PROBLEMS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "has expired",
  CERT_NOT_YET_VALID: "is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "is for another host name",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_ISSUER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_ISSUER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_ISSUER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_ISSUER,
};

/** What is wrong with the certificate of the server that an error or one of its causes is about; null where it is about something else. */
export function certificateProblem(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  // nodemailer keeps the code of the system beside its own.
  const codes = ["code", "originalCode"].map((name) => String(Reflect.get(error, name)));
  const known = codes.find((code) => Object.hasOwn(PROBLEMS, code)) ?? "";
  return PROBLEMS[known] ?? certificateProblem(error.cause);
}
