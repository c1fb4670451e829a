import type { Requirements } from "../requirements.ts";

export default {
  "facts.views.plain": "a client that announces no views gets the same bytes as from a service without them",
  "facts.views.announced": "a client that announces views sees four, each at the tools that name it, from any process",
  "facts.views.document": "a view is at most 60 KB, asks nobody for anything, and has its hash in its address",
  "facts.views.member": "no view shows a member what only an admin may do",
  "facts.views.outage": "views that cannot be read take no tool away",
  "facts.views.shown":
    "each view is shown with the demo, nothing, hostile texts and 1,000 rows, light and dark, 320 to 800 px wide; axe finds nothing, targets are ≥ 44 px, no request leaves",
  "facts.views.figures": "every amount in a view equals structuredContent, letter for letter",
  "facts.views.inert": "names and numbers from outside are letters in a view",
  "facts.views.paint": "a view's first paint is at most 300 ms after the tool's result",
  "facts.views.host":
    "a view listens to its own host only, takes its colors as a whole or not, answers when it is to end, and shows what it cannot draw as a failure",
  "facts.views.acts":
    "a press in a view leads to the tool call it says, once: with a double click, a slow network, and after access ended, which is shown",
} satisfies Requirements;
