import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseInput } from "../../src/core/kernel/validation.ts";
import { readSent } from "../../tools/sent-arguments.ts";
import { refusal } from "../support/lists.ts";
import { Refused } from "./desk.ts";

const Input = z.strictObject({
  id: z.string().min(1),
  note: z.string().optional(),
  search: z.string().min(1).optional(),
  limit: z.int().min(1).max(100).default(25),
  overdue: z.boolean().optional(),
  ids: z.array(z.string()).min(1).max(12).optional(),
  links: z.array(z.strictObject({ id: z.string(), amount_minor: z.int().optional() })).optional(),
});

/** What is parsed of arguments that a host sent. */
const parsed = (sent: object) => parseInput(Input, readSent(Input, { id: "a", ...sent }));
/** What is said of those that are refused. */
const said = async (sent: object) => {
  const { error } = Refused.parse(await refusal(Promise.resolve().then(() => parsed(sent))));
  return error.details.map(({ field, message }) => `${field} ${message}`);
};

describe("arguments as hosts send them", () => {
  it.each<[sent: object, meant: object]>([
    [{ search: null, overdue: null, limit: null, ids: null }, {}],
    [{ search: "", overdue: "", limit: "", ids: "", links: "" }, {}],
    [{ note: "" }, { note: "" }],
    [
      { limit: "7", overdue: "true", ids: '["a", "b:"]' },
      { limit: 7, overdue: true, ids: ["a", "b:"] },
    ],
    [
      { limit: " 7\n", overdue: "false" },
      { limit: 7, overdue: false },
    ],
    [{ links: '[{"id": "b", "amount_minor": null}]' }, { links: [{ id: "b" }] }],
    [{ links: ['{"id": "\\":", "amount_minor": "12"}'] }, { links: [{ id: '":', amount_minor: 12 }] }],
    [
      { note: "7", search: "null" },
      { note: "7", search: "null" },
    ],
    [{ note: '["a"]' }, { note: '["a"]' }],
  ])("%j mean %j [completions.3.sent]", (sent, meant) => {
    expect(parsed(sent)).toEqual({ id: "a", limit: 25, ...meant });
  });

  it.each<[sent: object, what: string]>([
    [{ id: null }, "id must be text, not null (leave out what is not meant)"],
    [{ id: "" }, "id must not be empty"],
    [{ ids: '["a", "b", "c"' }, 'ids must be a list, not "[\\"a\\", \\"b\\", \\"c\\""'],
    [{ ids: "a,b,c,d,e,f,g,h" }, 'ids must be a list, not "a,b,c,d,e,f,g,h"'],
    [{ ids: '{"0": "a"}' }, 'ids must be a list, not "{\\"0\\": \\"a\\"}"'],
    [{ links: [null] }, "links[0] must be an object, not null (leave out what is not meant)"],
    [{ links: ['{"id": "a", "id": "b"}'] }, 'links[0] must be an object, not "{\\"id\\": \\"a\\", \\"id\\": \\"b\\"}"'],
    [{ links: ['{"id": "a", "\\u0069d": "b"}'] }, expect.stringMatching(/^links\[0\] must be an object, not /)],
    [{ overdue: "True" }, 'overdue must be true or false, not "True"'],
    [{ overdue: "1" }, 'overdue must be true or false, not "1"'],
    [{ limit: "7.0" }, 'limit must be a whole number from 1 to 100, not "7.0"'],
    [{ limit: "1e1" }, 'limit must be a whole number from 1 to 100, not "1e1"'],
    [{ limit: "9007199254740993" }, 'limit must be a whole number from 1 to 100, not "9007199254740993"'],
    [{ constructor: null }, expect.stringMatching(/^constructor is not a known field/)],
  ])("%j are refused with one true sentence [completions.3.sent]", async (sent, what) => {
    expect(await said(sent)).toEqual([what]);
  });

  it("that are nested without end are refused like others [completions.3.sent]", async () => {
    const ids = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    expect(await said({ ids })).toEqual([expect.stringMatching(/^ids must be a list, not "\[{60}…"$/)]);
  });
});
