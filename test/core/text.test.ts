import { describe, expect, it } from "vitest";
import { cleanText, foldText } from "../../src/core/shared/text.ts";

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
    ["", null],
    [null, null],
  ])("%j becomes %j", (text, clean) => {
    expect(cleanText(text)).toBe(clean);
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
});
