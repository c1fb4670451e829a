/**
 * What Markdown, HTML and finders of addresses make links and images of. Outside of strings JSON has none of it. The address of
 * a payment link is ours and stays unchanged, for people press it.
 */
const LIVE = /\]\(|<(?=[a-z/!?])|(?<!"url":"https?):\/\/|\bwww\./gi;

const ESCAPED: Readonly<Record<string, string>> = { "](": "]\\u0028", "<": "\\u003c", "://": "\\u003a//" };

/**
 * JSON that a chat may take for Markdown: images, links and markup in texts from outside are shown there as the letters they
 * are. Parsed, it is the same as without.
 */
export function inertJson(json: string): string {
  return json.replace(LIVE, (live) => ESCAPED[live] ?? `${live.slice(0, -1)}\\u002e`);
}
