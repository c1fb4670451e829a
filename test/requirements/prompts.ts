import type { Requirements } from "../requirements.ts";

export default {
  "facts.mcp.prompts": "prompts are listed with described arguments, and each is one file",
  "facts.mcp.prompts-shown": "a prompt is offered to whoever may call all tools it needs, and is unknown to others",
  "facts.mcp.titles": "a tool's title stands where clients of either revision look for it",
  "facts.mcp.prompt-arguments": "what is left of an argument once it is cleaned is what was said, nothing is not said",
  "completions.10.prompts":
    "each prompt calls tools with arguments they take, and has the answer name currency, freshness and basis",
  "completions.10.prompt-dates": "dates in prompts are arguments, or worked out from business_date",
  "facts.mcp.completion": "arguments and template variables are completed from the caller's own workspace",
  "facts.mcp.resources": "resources and templates are what the operations answer; what is not there is -32002",
  "facts.mcp.guide": "the reading guide says of each figure what it means and must not be used for",
  "facts.mcp.icons": "the server's implementation info carries icons",
  "facts.mcp.progress": "a long call tells its progress to a client that asks for it, and only then",
  "completions.10.overdue-words":
    "no description, prompt, example or document sums invoices under a due filter and calls it overdue or due",
  "service.4.10.whole-invoices": "the invoice list's due filters select whole invoices and are not installment aging",
} satisfies Requirements;
