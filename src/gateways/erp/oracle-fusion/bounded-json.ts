import { setImmediate as nextTurn } from "node:timers/promises";
import { unusable } from "./errors.ts";

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

/** Characters that are parsed, to the end of their item, before the event loop gets a turn. */
const TURN_CHARACTERS = 64 * 1024;

/** JSON text that is checked against its limits while it arrives, so that a longer one is neither kept nor read to its end. */
export class BoundedJson {
  text = "";
  readonly #limits: JsonLimits;
  #values = 0;
  /** Of the item that comes in; and of everything beside the lists. */
  #ofItem = 0;
  #beside = 0;
  #depth = 0;
  #isObject = false;
  /** Where the last character is that parts values. */
  #parted = -1;
  #isInString = false;
  #isEscaped = false;
  /** Where the items of each list of the outermost object are parted, from its opening bracket to its closing one. */
  readonly #lists: number[][] = [];
  /** The one that is open. */
  #list: number[] | undefined;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
  }

  /** Takes the next piece, however the text was cut. Throws the ErpError of a limit. */
  take(piece: string) {
    for (let at = 0; at < piece.length; at += 1) {
      const char = piece.charAt(at);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (char === '"') this.#isInString = !this.#isInString;
      else if (this.#isInString) this.#isEscaped = char === "\\";
      else if (",:[{".includes(char)) this.#part(char, this.text.length + at);
      else if (char === "]" || char === "}") this.#close(this.text.length + at);
    }
    this.text += piece;
    if (this.text.length - 1 - this.#parted > LONGEST)
      throw unusable(`one of its values is longer than ${LONGEST} characters`);
  }

  #part(char: string, at: number) {
    const { values, valuesOfItem, items, depth } = this.#limits;
    this.#parted = at;
    if (char === "," && this.#depth === 2) {
      this.#ofItem = 0;
      this.#list?.push(at);
    }
    this.#values += 1;
    if (this.#list === undefined) this.#beside += 1;
    else this.#ofItem += 1;
    if (char === "[" || char === "{") this.#open(char, at);
    if (this.#depth > depth) throw unusable(`it is nested deeper than ${depth}`);
    if (this.#values > values) throw unusable(`it holds more than ${values} values`);
    if (Math.max(this.#ofItem, this.#beside) > valuesOfItem)
      throw unusable(`one of its items holds more than ${valuesOfItem} values`);
    if (this.#list !== undefined && this.#list.length > items) throw unusable(`it holds more than ${items} items`);
  }

  #open(char: string, at: number) {
    if (this.#depth === 0) this.#isObject = char === "{";
    this.#depth += 1;
    if (this.#depth !== 2 || char !== "[" || !this.#isObject) return;
    this.#ofItem = 0;
    this.#list = [at];
    this.#lists.push(this.#list);
  }

  #close(at: number) {
    this.#parted = at;
    if (this.#depth === 2) {
      this.#list?.push(at);
      this.#list = undefined;
    }
    this.#depth -= 1;
  }

  /** Parses what came in, the items of its lists one by one and in turns, numbers as their digits. Rejects with SyntaxError. */
  async parse(turn = TURN_CHARACTERS) {
    if (this.#isInString) throw new SyntaxError("a text is not closed");
    const lists: unknown[][] = [];
    let beside = "";
    let from = 0;
    let parsed = 0;
    for (const cuts of this.#lists) {
      const items: unknown[] = [];
      // Stands for the list; it is not closed where the list is not.
      beside += `${this.text.slice(from, cuts[0])}[${lists.length}`;
      [from = 0] = cuts;
      for (const end of cuts.slice(1)) {
        const item = this.text.slice(from + 1, end);
        if (cuts.length > 2 || /[^ \t\r\n]/.test(item)) items.push(parseDigits(item));
        from = end;
        parsed += item.length;
        if (parsed < turn) continue;
        await nextTurn();
        parsed = 0;
      }
      lists.push(items);
    }
    const root = parseDigits(beside + this.text.slice(from));
    if (typeof root !== "object" || root === null) return root;
    for (const [key, place] of Object.entries(root))
      if (Array.isArray(place) && this.#isObject)
        Object.defineProperty(root, key, { value: lists[Number(place[0])], enumerable: true, writable: true });
    return root;
  }
}

/** A text, or a number that is no key. */
const TEXT_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?!\s*:)/gs;

function parseDigits(json: string): unknown {
  return JSON.parse(json.replace(TEXT_OR_NUMBER, (found) => (found.startsWith('"') ? found : `"${found}"`)));
}
