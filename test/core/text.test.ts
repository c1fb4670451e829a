import { describe, expect, it } from "vitest";
import { cleanText, foldText } from "../../src/core/kernel/text.ts";
import { plainLine } from "../../src/gateways/outside-error.ts";

describe("text from outside", () => {
  it.each([
    ["plain", "plain"],
    ["  trimmed\u0000 ", "trimmed"],
    ["two\r\nlines", "two lines"],
    ["bidi \u202Eevil\u202C", "bidi evil"],
    ["zero\u200Bwidth\uFEFF", "zerowidth"],
    ["tags\u{E0041}\u{E0042}", "tags"],
    ["hidden\u{E0101}\uFE0F\u034F in\u3164\u115F selectors", "hidden in selectors"],
    ["iso\u2066lated\u2069 by\u061C direction", "isolated by direction"],
    ["next\u0085line\u2028and\u2029paragraph", "nextlineandparagraph"],
    ["lone \uD800 surrogate", "lone \uFFFD surrogate"],
    ["株式会社 Ünïcode <b>", "株式会社 Ünïcode <b>"],
    ["\u200B \u202E", null],
    ["e\u0301", "é"],
    ["", null],
    [null, null],
  ])("%j becomes %j", (text, clean) => {
    expect(cleanText(text)).toBe(clean);
  });

  it("is not searched without an end for what can be seen [facts.inputs.bounded]", () => {
    expect(cleanText(`${"\u00AD".repeat(31)}x`, 2)).toBe("x");
    expect(cleanText(`${"\u00AD".repeat(32)}x`, 2)).toBeNull();
    expect(plainLine("\u00ADa".repeat(1_000_000))).toHaveLength(8_191);
  });

  it("has 30 marks in a row, as composing takes time by their square [facts.inputs.bounded]", () => {
    expect(cleanText(`a${"\u0301".repeat(6_000)}b`)).toBe(`á${"\u0301".repeat(29)}b`);
  });

  it("is cut at a whole character", () => {
    expect(cleanText("😀😀😀", 2)).toBe("😀😀");
  });

  it("is found whatever its case, and in part [service.4.10.search]", () => {
    expect(foldText("STRASSE")).toBe(foldText("Straße"));
    expect(foldText("ΟΔΥΣΣΕΥΣ ΑΕ")).toContain(foldText("ΟΔΥΣ"));
    expect(foldText("Οδυσσεύς")).toBe(foldText("ΟΔΥΣΣΕΎΣ"));
    expect(foldText("ÉCLAIR")).toBe(foldText("e\u0301clair"));
  });

  it.each([
    ["İstanbul", "istanbul"],
    ["ISPARTA ı", "ısparta I"],
    ["I\u0323\u0307", "ị"],
    ["STRAẞE", "strasse"],
    ["ＡＢＣ－１", "abc-1"],
    ["№ 9", "no 9"],
    ["ﬁn\u00A0ῼ", "FIN ωι"],
  ])("%j is folded as %j is [completions.10.folding]", (one, other) => {
    expect(foldText(one)).toBe(foldText(other));
  });

  it("folds every letter as its other cases and forms, and once for all [completions.10.folding]", () => {
    const unlike = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((letter) =>
        [letter.toUpperCase(), letter.toLowerCase(), letter.normalize("NFKD")].some((form) => form !== letter),
      )
      .filter((letter) => {
        const folded = foldText(letter);
        const forms = [
          letter.toUpperCase(),
          letter.toLowerCase(),
          letter.normalize("NFD"),
          letter.normalize("NFKC"),
          folded,
        ];
        return forms.some((form) => foldText(form) !== folded);
      });
    expect(unlike).toEqual([]);
  });
});
