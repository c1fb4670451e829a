/** An address of the service's own, as a field holds it whole; a name that quotes one has its quotation marks escaped. */
const OWN = /"(?:url|base)":"https?:\/\/[\w\-.~:/?#@!$&'*+,;=%{}]*"/;

/** What Markdown, HTML and finders of addresses make links and images of. Outside of strings JSON has none of it. */
const LIVE = new RegExp(`${OWN.source}|\\]\\(|<(?=[a-z/!?])|://|\\bwww\\.`, "gi");

const ESCAPED: Readonly<Record<string, string>> = { "](": "]\\u0028", "<": "\\u003c", "://": "\\u003a//" };

/**
 * JSON that a chat may take for Markdown: images, links and markup in texts from outside are shown there as the letters they
 * are, and addresses of our own stay whole, for people press them. Parsed, it is the same as without.
 */
export function inertJson(json: string) {
  return json.replace(LIVE, (live) => ESCAPED[live] ?? (live.startsWith('"') ? live : `${live.slice(0, -1)}\\u002e`));
}
