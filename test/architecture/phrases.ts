import type { LimitRule, Measured } from "./allowed.ts";
import { at, type Project, SOURCE_FOLDERS, sourcesIn, TEST_FOLDERS } from "./project.ts";

interface Banned {
  /** Its name in the list. */
  readonly phrase: string;
  readonly instead: string;
  /** Where it has several forms. */
  readonly forms?: string;
}

/** Turns that readers stumble over, and what to write instead (docs/glossary.md). */
const BANNED: readonly Banned[] = [
  { phrase: "whoever", instead: "say who: the caller, the worker" },
  { phrase: "whatever", instead: "say what, or “any”" },
  { phrase: "becomes of", forms: "becomes? of|became of", instead: "say what happens: the outcome" },
  { phrase: "comes of it", forms: "(?:comes|came) of it", instead: "say what happens: the outcome" },
  { phrase: "is none", forms: "(?:is|are) none", instead: "“does not exist”, “is missing”" },
  { phrase: "stands at", forms: "stands? at", instead: "“is”, “has”" },
  { phrase: "what stands", instead: "name the thing" },
  { phrase: "so long", instead: "say how long" },
  { phrase: "so many", instead: "say how many" },
  { phrase: "as it is", instead: "“unchanged”, “current”" },
  { phrase: "let be", instead: "“ignore”, “leave unchanged”" },
  { phrase: "leads nowhere", forms: "leads? nowhere", instead: "“is not valid”, “fails”" },
  { phrase: "for want of", instead: "“without”, “because … is missing”" },
  { phrase: "take up", forms: "(?:take|takes|taken|took) up", instead: "“claim”, “start”" },
  { phrase: "look after", forms: "looks? after", instead: "“poll”, “check”" },
  { phrase: "anew", instead: "“again”" },
  { phrase: "alone", forms: "alone(?=[.,;:)])", instead: "“only”" },
];

/** Between two words a comment may go on in the next line, behind its asterisk or slashes. */
const GAP = "(?:\\s+(?:\\*\\s+|//\\s+)?)";

function patternOf({ phrase, forms = phrase }: Banned): RegExp {
  return new RegExp(`\\b(?:${forms.replaceAll(" ", GAP)})\\b`, "gi");
}

/** One written by a program, from descriptions that are counted where they are declared, and the list of words not to use. */
const LEFT_OUT = ["docs/tools.md", "docs/glossary.md"];

function texts(project: Project): [string, string][] {
  const documents = [...project.texts].filter(([path]) => path.endsWith(".md"));
  const sources = sourcesIn(project, [...SOURCE_FOLDERS, ...TEST_FOLDERS]);
  return [...documents, ...sources].filter(
    ([path]) => !path.startsWith("src/store/migrations/") && !LEFT_OUT.includes(path),
  );
}

const isTest = (path: string): boolean => TEST_FOLDERS.some((folder) => path.startsWith(`${folder}/`));

function uses(project: Project, inTests: boolean): Map<string, Measured> {
  const files = texts(project).filter(([path]) => isTest(path) === inTests);
  return new Map(
    BANNED.flatMap((banned): [string, Measured][] => {
      const places = files.flatMap(([path, text]) =>
        [...text.matchAll(patternOf(banned))].map((match) => `${at(path, text, match.index)}  (${banned.instead})`),
      );
      return places.length === 0 ? [] : [[banned.phrase, { count: places.length, places }]];
    }),
  );
}

const PLAIN_WORDS = {
  limit: 0,
  why: "They are not how engineers of the field write: readers have to work out what is meant.",
  fix: "Say it as the bracket beside each place suggests; docs/glossary.md has the words.",
};

/** The product has none; what is left in tests is counted apart, so that it leaves no room for a new one in the product. */
export const PHRASE_RULES: readonly LimitRule[] = [
  {
    ...PLAIN_WORDS,
    list: "phrases",
    rule: "Comments, texts and documents use no turns from the banned list.",
    measure: (project) => uses(project, false),
  },
  {
    ...PLAIN_WORDS,
    list: "testPhrases",
    rule: "Tests use no turns from the banned list.",
    measure: (project) => uses(project, true),
  },
];
