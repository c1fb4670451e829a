const ATTRIBUTES = [
  ["#servers", "aria-label", "Server"],
  [".examples-select-element", "aria-label", "Example"],
  [".parameters select", "aria-label", "Values"],
  [".opblock-tag, .models h4", "aria-level", "2"],
  [".opblock-section-header h4, .opblock-title", "aria-level", "3"],
  [".information-container", "role", "region"],
  [".information-container", "aria-label", "About the API"],
  [".scheme-container", "role", "region"],
  [".scheme-container", "aria-label", "Server"],
  [".responses-table", "role", "table"],
  ["pre.example", "tabindex", "0"],
];
const legible = () => {
  for (const [where, name, value] of ATTRIBUTES)
    for (const element of document.querySelectorAll(where)) element.setAttribute(name, value);
};
const KEYS = { admin: "an admin key", readonly: "any key" };
// The viewer shows no extensions, so their content goes into the description.
const shown = (description) => {
  for (const path of Object.values(description.paths))
    for (const operation of Object.values(path)) {
      const key = KEYS[operation["x-permission"]];
      operation.summary += ` (${key})`;
      operation.description += `\n\n**Permission**: ${key}.\n\n**Side effects**: ${operation["x-side-effects"]}`;
    }
  return description;
};
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: false,
  validatorUrl: null,
  supportedSubmitMethods: [],
  responseInterceptor: (answer) => Object.assign(answer, { text: JSON.stringify(shown(JSON.parse(answer.text))) }),
  onComplete: () => {
    legible();
    new MutationObserver(legible).observe(document.body, { childList: true, subtree: true });
  },
});
