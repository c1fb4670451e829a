/** Words in our field names and values, by the most tokens that each takes, with or without a sign before it. */
const WORDS_BY_TOKENS: readonly string[] = [
  `active admin amount api as aside at attention authentication auto available average balance basis billing bucket business by client closed code
  collection configured confirmed connected connection contact count created currency current cursor customer data date days due
  email enabled erp error excluded expected failed false finished from fusion generate generated has held history id inactive
  integration internal interval invoice key kind last late limit link links local manual max median member message minor minutes mode
  more name needed next no none not nothing null number of ok on open opened oracle origin original over pagination paid past payment
  pending posted processing provider pull push rank read reason reference refund removed report requires revision role run running runs sandbox
  scheduled search send sent sequence set share started state status stripe supported sync task tasks tenant terms time to tools total
  trigger true type updated url used workflow write`,
  `applied arrangement assignee callable cancelled collected collectible currencies deactivated disconnected dismissed disputed elsewhere
  finalised finero installment installments interrupted invoices livemode outcome outstanding overdue receipt receipts refunded
  customers overview pages payments rejected retired reversed scopes skipped succeeded successful synced temporarily timezone
  settled totals unavailable unreachable voided workflows`,
];

/** JSON punctuation between names and values, by the most tokens that it takes. */
const SIGNS_BY_TOKENS: readonly string[] = ['":" "," ": ," {" "} ":{" ":[" },"', '"}," "],"'];

function costs(byTokens: readonly string[]): ReadonlyMap<string, number> {
  return new Map(byTokens.flatMap((texts, at) => texts.split(/\s+/).map((text): [string, number] => [text, at + 1])));
}

export const WORDS = costs(WORDS_BY_TOKENS);
export const SIGNS = costs(SIGNS_BY_TOKENS);

type Kind = "digit" | "lower" | "upper" | "sign" | "blank" | "beyond";

/** Kinds of ASCII characters; all others are `beyond`. */
const KINDS: readonly Kind[] = Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[0-9]/.test(char)) return "digit";
  if (/[a-z]/.test(char)) return "lower";
  if (/[A-Z]/.test(char)) return "upper";
  return /[!-~]/.test(char) ? "sign" : "blank";
});

/** Adjacent characters of one kind, and their neighbors. */
interface Run {
  readonly text: string;
  readonly before: Kind;
  readonly after: Kind;
  /** Next to an apostrophe, where o200k splits off `'s` and similar endings. */
  readonly isByApostrophe: boolean;
}

/**
 * Most tokens of a run in o200k. Known facts: digits are split into threes, every pair of common letters is a token,
 * adjacent tokens never form a token together, and a character has no more tokens than bytes in UTF-8.
 */
const COSTS: { readonly [K in Kind]: (run: Run) => number } = {
  digit: ({ text, before }) => Math.ceil(text.length / 3) + (before === "beyond" ? 1 : 0),
  lower: ({ text, before, after, isByApostrophe }) => {
    const isWord = before !== "upper" && before !== "beyond" && after !== "beyond" && !isByApostrophe;
    return (isWord ? WORDS.get(text) : undefined) ?? lettersAtMost(text);
  },
  upper: ({ text }) => text.length,
  sign: ({ text, before, after }) => {
    if (text === "'") return 2;
    return (before === "beyond" || after === "beyond" ? undefined : SIGNS.get(text)) ?? text.length;
  },
  blank: ({ text }) => text.length,
  beyond: ({ text }) => Buffer.byteLength(text),
};

/** Among common letters at least every other token has two; each of the rest may be a token. */
function lettersAtMost(text: string): number {
  return text.split(/([jkqxz])/).reduce((sum, part) => sum + Math.floor((2 * part.length + 1) / 3), 0);
}

/** An upper bound of the o200k tokens of JSON, computed without its vocabulary of 200,000 entries. */
export function tokensAtMost(json: string): number {
  let tokens = 0;
  let before: Kind = "blank";
  for (let at = 0; at < json.length; ) {
    const kind = kindAt(json, at);
    let end = at + 1;
    while (end < json.length && kindAt(json, end) === kind) end += 1;
    const isByApostrophe = json[at - 1] === "'" || json[end] === "'";
    const after = end < json.length ? kindAt(json, end) : "blank";
    tokens += COSTS[kind]({ text: json.slice(at, end), before, after, isByApostrophe });
    before = kind;
    at = end;
  }
  return tokens;
}

function kindAt(text: string, at: number): Kind {
  return KINDS[text.charCodeAt(at)] ?? "beyond";
}
