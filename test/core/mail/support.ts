/** Names that would do harm if they were taken for anything but text. */
export const HOSTILE = [
  `<script>alert(1)</script>`,
  `"><img src=x onerror=alert(1)>`,
  `' onmouseover='alert(1)`,
  `Eve\r\nBcc: victim@example.test`,
  `</title></td></table><a href="https://evil.example.test">Pay here</a>`,
  `\${alert(1)} {{7*7}} %s &lt;b&gt;`,
];

/** The tags of a document, in order. */
export function tagsOf(html: string): string[] {
  return [...html.matchAll(/<(\/?[a-z!][a-z0-9]*)/gi)].map((match) => match[1] ?? "");
}
