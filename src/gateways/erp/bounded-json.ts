import { setImmediate as nextTurn } from "node:timers/promises";

/** What a JSON text may hold. A value is a scalar, a list or an object, and a key counts as one too. */
interface JsonLimits {
  /** Values of the whole text. */
  readonly values: number;
  /** Values that are parsed in one go: those of one item of a list, or of everything beside the lists. */
  readonly valuesOfItem: number;
  /** Items of one list of the outermost object. */
  readonly items: number;
  /** Lists and objects inside one another. */
  readonly depth: number;
}

/** Characters of a text, a number or the space between two values. */
const LONGEST = 1_048_576;

/** A text beyond one of its {@link JsonLimits}; `message` says which, to follow the words "the answer cannot be used:". */
export class JsonTooLarge extends Error {
  override readonly name = "JsonTooLarge";
}

/** Characters that are scanned, and parsed to the end of their item, before the event loop gets a turn. */
const TURN_CHARACTERS = 64 * 1024;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/y;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const LIST = 0x5b;
const BACKSLASH = 0x5c;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

/** Parses JSON some list items at a time, numbers as their digits. Rejects with SyntaxError or {@link JsonTooLarge}. */
export async function parseBounded(text: string, limits: JsonLimits, turn = TURN_CHARACTERS) {
  const reader = new Reader(text, limits, turn);
  while (!reader.readOn()) await nextTurn();
  return reader.result();
}

/** Checks a text against its limits while it arrives, so that a longer one is neither kept nor read to its end. */
export class JsonMeter {
  readonly #limits: Pick<JsonLimits, "values" | "depth">;
  #values = 0;
  #depth = 0;
  /** Characters since the last that parts values. */
  #since = 0;
  #isInString = false;
  #isEscaped = false;

  constructor(limits: Pick<JsonLimits, "values" | "depth">) {
    this.#limits = limits;
  }

  /** Takes the next piece, however the text was cut. Throws {@link JsonTooLarge}. */
  take(piece: string) {
    let parted = -this.#since - 1;
    for (let at = 0; at < piece.length; at += 1) {
      const code = piece.charCodeAt(at);
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (code === BACKSLASH) this.#isEscaped = true;
        else if (code === QUOTE) this.#isInString = false;
      } else if (code === QUOTE) {
        this.#isInString = true;
      } else if (code === COMMA || code === COLON || code === LIST || code === OBJECT) {
        this.#values += 1;
        if (code === LIST || code === OBJECT) this.#depth += 1;
        parted = at;
      } else if (code === LIST_END || code === OBJECT_END) {
        this.#depth -= 1;
        parted = at;
      }
      if (this.#depth > this.#limits.depth) throw new JsonTooLarge(`it is nested deeper than ${this.#limits.depth}`);
    }
    this.#since = piece.length - 1 - parted;
    if (this.#values > this.#limits.values) throw new JsonTooLarge(`it holds more than ${this.#limits.values} values`);
    if (this.#since > LONGEST) throw new JsonTooLarge(`one of its values is longer than ${LONGEST} characters`);
  }
}

/** Text that is parsed in one go. */
interface Part {
  values: number;
  /** Text and digits by turns, between which go quotation marks. */
  readonly pieces: string[];
  /** What the next piece of text begins with. */
  lead: string;
}

class Reader {
  readonly #text: string;
  readonly #limits: JsonLimits;
  readonly #turn: number;
  #at = 0;
  /** What is open around `#at`, outermost first. */
  readonly #open: number[] = [];
  #values = 0;
  /** The part that `#at` is in: items of a list of the outermost object, or everything beside such lists. */
  #part: Part = { values: 0, pieces: [], lead: "" };
  #beside = this.#part;
  /** As far as the text was taken into a part. */
  #copied = 0;
  /** Whether a number came since what parts values, so that each is counted by what came before it. */
  #hasNumber = false;
  /** The items of each list that were parsed. */
  readonly #lists: unknown[][] = [];
  /** Where the items begin that are parsed next. */
  #cut = 0;

  constructor(text: string, limits: JsonLimits, turn: number) {
    this.#text = text;
    this.#limits = limits;
    this.#turn = turn;
  }

  /** Scans for a turn; true at the end of the text. */
  readOn() {
    const text = this.#text;
    const until = Math.min(text.length, this.#at + this.#turn);
    let at = this.#at;
    for (; at < until; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        at = endOfString(text, at);
      } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
        NUMBER.lastIndex = at;
        if (!NUMBER.test(text)) continue;
        if (this.#hasNumber) throw new SyntaxError("nothing parts two numbers");
        this.#hasNumber = true;
        this.#takeText(at);
        this.#copied = NUMBER.lastIndex;
        this.#part.pieces.push(text.slice(at, this.#copied));
        at = this.#copied - 1;
      } else if (code === COMMA) {
        this.#count();
        if (at - this.#cut > this.#turn && this.#isInList()) this.#takeItems(at);
      } else if (code === LIST || code === OBJECT) {
        this.#enter(code, at);
      } else if (code === LIST_END || code === OBJECT_END) {
        this.#leave(code, at);
      } else if (code === COLON) {
        this.#count();
      }
    }
    this.#at = at;
    return at >= text.length;
  }

  result() {
    if (this.#part !== this.#beside) throw new SyntaxError("a list is not closed");
    this.#takeText(this.#text.length);
    const root: unknown = JSON.parse(this.#part.pieces.join('"'));
    if (typeof root !== "object" || root === null) return root;
    // Every number of the text was quoted: one that is left stands for a list.
    for (const [key, value] of Object.entries(root))
      if (typeof value === "number")
        Object.defineProperty(root, key, { value: this.#lists[value], enumerable: true, writable: true });
    return root;
  }

  /** Whether `#at` is in a list of the outermost object, and in nothing within. */
  #isInList() {
    return this.#open.length === 2 && this.#open[0] === OBJECT && this.#open[1] === LIST;
  }

  #count() {
    this.#hasNumber = false;
    const { values, valuesOfItem } = this.#limits;
    this.#values += 1;
    this.#part.values += 1;
    if (this.#values > values) throw new JsonTooLarge(`it holds more than ${values} values`);
    if (this.#part.values > valuesOfItem)
      throw new JsonTooLarge(`one of its items holds more than ${valuesOfItem} values`);
  }

  #enter(code: number, at: number) {
    this.#open.push(code);
    if (this.#open.length > this.#limits.depth)
      throw new JsonTooLarge(`it is nested deeper than ${this.#limits.depth}`);
    this.#count();
    if (!this.#isInList()) return;
    // Spaces keep the list's number apart from the text around it.
    this.#beside.lead += `${this.#text.slice(this.#copied, at)} ${this.#lists.length} `;
    this.#lists.push([]);
    this.#beginItems(at + 1);
  }

  #leave(code: number, at: number) {
    if (code === LIST_END && this.#isInList()) {
      this.#takeItems(at, this.#lists.at(-1)?.length === 0);
      this.#part = this.#beside;
    }
    const opened = this.#open.pop();
    if (opened !== (code === LIST_END ? LIST : OBJECT)) throw new SyntaxError("brackets do not match");
  }

  #takeText(end: number) {
    this.#part.pieces.push(`${this.#part.lead}${this.#text.slice(this.#copied, end)}`);
    this.#part.lead = "";
    this.#copied = end;
  }

  #beginItems(from: number) {
    this.#part = { values: 0, pieces: [], lead: "" };
    this.#copied = from;
    this.#cut = from;
  }

  /** Parses the items up to `end`, a comma or the end of their list. */
  #takeItems(end: number, mayBeNone = false) {
    this.#takeText(end);
    const items: unknown = JSON.parse(`[${this.#part.pieces.join('"')}]`);
    if (!Array.isArray(items) || (items.length === 0 && !mayBeNone)) throw new SyntaxError("an item is missing");
    const list = this.#lists.at(-1) ?? [];
    const most = this.#limits.items;
    if (list.length + items.length > most) throw new JsonTooLarge(`it holds more than ${most} items`);
    for (const item of items) list.push(item);
    this.#beginItems(end + 1);
  }
}

/** Where the string that begins at `start` ends: its closing quote, or the end of the text. */
function endOfString(text: string, start: number) {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}
