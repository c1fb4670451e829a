import { readText } from "../../core/kernel/read-text.ts";

/** The guides, by the names of their files in `docs/guides`, in the order in which they are read. */
export const GUIDES: readonly string[] = [
  ...["quickstart", "polling", "retries", "money", "reconciliation"],
  ...["errors", "limits", "keys", "sandbox", "changes"],
];

/** The part of an address that a heading is found by. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 _-]/g, "")
    .trim()
    .replaceAll(/\s+/g, "-");
}

interface Guide {
  readonly title: string;
  readonly text: string;
}

/** A guide as its file has it; its heading is its title. */
export function guideOf(name: string): Guide {
  const text = readText(import.meta.url, `../../../docs/guides/${name}.md`);
  const [, title = name] = /^# (.+)$/m.exec(text) ?? [];
  return { title, text };
}

interface Section {
  readonly heading: string;
  /** Empty for what is above the first heading. */
  readonly slug: string;
  readonly text: string;
}

/** The parts of a guide, from one heading to the next. */
export function sectionsOf({ title, text }: Guide): Section[] {
  const [first = "", ...rest] = text.split(/^(?=##+ )/m);
  const words = (markdown: string): string =>
    markdown
      .replaceAll(/"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/g, "")
      .replaceAll(/[`#|*]+|\]\([^)]*\)|\[/g, " ")
      .replaceAll(/\s+/g, " ");
  return [
    { heading: title, slug: "", text: words(first) },
    ...rest.map((part) => {
      const heading = (part.split("\n")[0] ?? "").replace(/^#+ /, "");
      return { heading: heading.replaceAll("`", ""), slug: slugOf(heading), text: words(part) };
    }),
  ];
}
