import type { Requirements } from "../requirements.ts";

export default {
  "completions.10.errors.own-words":
    "what is wrong with an input is said by us, for every operation and command: never a library's words",
  "completions.10.errors.steer":
    "an error names the value and what would be right; the nearest field, who takes it, where an id is found, what is in the way",
  "completions.10.fields":
    "`fields` takes one level of dots: `customer.name` gives `customer: { name }`; unknown names steer to the nearest",
  "completions.10.days":
    "where a filter takes a date-time it also takes a plain date: the start of that day in the workspace's timezone, also where clocks change",
  "completions.10.pages":
    "a page of a tool stays below 20,000 tokens at any limit: one that would be larger ends early, and goes on after its last row",
  "completions.10.errors-bounded":
    "of thousands of faults the first are worked out and told of, the others counted; a name somebody made up is cleaned and cut",
} satisfies Requirements;
