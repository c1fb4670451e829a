/** Words of our fields and choices, by the tokens that each is at most, with any sign or none before it. */
const WORDS_BY_TOKENS: readonly string[] = [
  `active admin amount api at authentication auto available average balance basis billing bucket business by client closed code
  collection configured confirmed connected connection contact count created currency current cursor customer data date days due
  email enabled erp error excluded expected failed false finished from fusion generate generated has held history id inactive
  integration internal interval invoice key kind last late limit link links local manual max median member message minor minutes mode
  more name needed next no none not nothing null number ok on open opened oracle origin original over pagination paid payment
  pending posted processing provider pull push rank read reason refund removed report requires revision role running sandbox
  scheduled search send sent sequence share started state status stripe supported sync task tasks tenant terms time to tools total
  trigger true type updated url used workflow write`,
  `applied arrangement assignee callable cancelled collected collectible currencies deactivated disconnected dismissed disputed
  finalised finero installment installments interrupted invoices livemode outcome outstanding overdue receipt receipts refunded
  customers overview pages payments rejected retired reversed scopes skipped succeeded successful synced temporarily timezone
  totals unavailable unreachable`,
];

/** Signs of JSON as they stand between names and values, by the tokens that they are at most. */
const SIGNS_BY_TOKENS: readonly string[] = ['":" "," ": ," {" "} ":{" ":[" },"', '"}," "],"'];

function costs(byTokens: readonly string[]): ReadonlyMap<string, number> {
  return new Map(byTokens.flatMap((texts, at) => texts.split(/\s+/).map((text): [string, number] => [text, at + 1])));
}

export const WORDS = costs(WORDS_BY_TOKENS);
export const SIGNS = costs(SIGNS_BY_TOKENS);

type Kind = "digit" | "lower" | "upper" | "sign" | "blank" | "beyond";

/** What ASCII characters are; all others are beyond. */
const KINDS: readonly Kind[] = Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[0-9]/.test(char)) return "digit";
  if (/[a-z]/.test(char)) return "lower";
  if (/[A-Z]/.test(char)) return "upper";
  return /[!-~]/.test(char) ? "sign" : "blank";
});

/** Characters of one kind, and their neighbours. */
interface Run {
  readonly text: string;
  readonly before: Kind;
  readonly after: Kind;
  /** Beside an apostrophe, with which `'s` and its like are cut from what follows. */
  readonly isByApostrophe: boolean;
}

/**
 * The most tokens that a run is in o200k. What is known of it: digits are cut into threes, every two common letters are a
 * token, two tokens side by side are never one themselves, and no character has more tokens than bytes in UTF-8.
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

/** Among common letters at least every other token has two; of the rest each may be one. */
function lettersAtMost(text: string): number {
  return text.split(/([jkqxz])/).reduce((sum, part) => sum + Math.floor((2 * part.length + 1) / 3), 0);
}

/** How many tokens JSON is at most in o200k, worked out without its vocabulary of 200,000. */
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
