import { LOOPBACK } from "../../src/settings.ts";

/** Longest redirect address: the consent page shows all of it. */
const MAX_LENGTH = 2_000;

/**
 * Schemes without a dot that known assistants use, each with its source. Other such schemes may be handled by the
 * system: `microsoft-edge:https://evil.example` opens a web page, not an app.
 */
const ASSISTANT_SCHEMES: ReadonlySet<string> = new Set([
  // Cursor: https://cursor.com/docs/context/mcp, `cursor://anysphere.cursor-mcp/oauth/callback`.
  "cursor:",
  // VS Code and its preview: https://github.com/microsoft/vscode, extensions/github-authentication/src/common/env.ts.
  "vscode:",
  "vscode-insiders:",
  // Windsurf: seen as `windsurf://…` in https://github.com/Mermaid-Chart/issue-tracker/issues/145.
  "windsurf:",
  // Warp: `warp://mcp/oauth2callback` in https://github.com/warpdotdev/warp/issues/9088.
  "warp:",
  // Raycast: https://developers.raycast.com/api-reference/oauth, `raycast://oauth?package_name=Extension`.
  "raycast:",
  // WorkBuddy: `workbuddy://workbuddy/mcp/…/oauth/callback` in https://github.com/liketrek/TREK/issues/2227.
  "workbuddy:",
  // Claude on the desktop: `custom_schemes` in https://github.com/laravel/mcp/blob/main/config/mcp.php.
  "claude:",
]);

/** Why an address may not receive answers (completions §11, RFC 8252); null if it may. */
export function redirectProblem(address: unknown) {
  if (typeof address !== "string") return "must only contain strings";
  if (address.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters each`;
  // Characters outside ASCII, blanks that a parser drops and backslashes make an address read differently from what it is.
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(address)) return "must be written in ASCII, without blanks and backslashes";
  const url = URL.parse(address);
  if (url === null) return "must only contain valid addresses";
  if (address.includes("#")) return "must not contain fragments";
  if (url.username !== "" || url.password !== "" || /^[^/?]*\/\/[^/?]*@/.test(address)) return "must not name a user";
  return isAnswerable(url)
    ? null
    : "must use https, a loopback address or an app's own scheme (with a dot, RFC 8252 §7.1)";
}

function isAnswerable({ protocol, hostname }: URL) {
  if (protocol === "https:") return hostname !== "";
  if (protocol === "http:") return LOOPBACK.has(hostname);
  return protocol.includes(".") || ASSISTANT_SCHEMES.has(protocol);
}
