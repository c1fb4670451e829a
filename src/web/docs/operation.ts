import { copyable } from "../kit/assets.ts";
import { type Html, html } from "../kit/html.ts";
import { type Description, exampleOf, resolve, type ShownAnswer, type ShownOperation } from "./description.ts";
import { fieldList, parameterList } from "./fields.ts";
import { inline, prose } from "./markdown.ts";
import { curlSample, typeScriptSample } from "./samples.ts";

/** Which keys an operation takes (service.md §5). */
const KEYS = { admin: "An admin key", readonly: "Any key" };
const NO_EFFECTS = "None.";

/** One operation of the reference: who may call it and what it does first, what it takes and answers, errors folded. */
export function operationSection(operation: ShownOperation, description: Description, origin: string): Html {
  const { operationId: id, method, path, summary } = operation;
  const effects = operation["x-side-effects"];
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-name">
<h3 id="${id}-name"><a class="anchor" href="#${id}">${summary}</a></h3>
<p class="call"><strong class="method ${method.toLowerCase()}">${method}</strong> <code>${path}</code></p>
<dl class="needs"><div><dt>Permission</dt><dd>${KEYS[operation["x-permission"]]}</dd></div>\
<div><dt>Side effects</dt><dd>${effects === NO_EFFECTS ? "None" : inline(effects)}</dd></div></dl>
<div class="halves"><div>${prose(operation.description)}
${takes(operation, description)}
${answers(operation, description)}</div>
<div class="samples">${samples(operation, description, origin)}</div></div>
</section>`;
}

function takes({ operationId, parameters = [], requestBody }: ShownOperation, { components }: Description): Html {
  const { schemas } = components;
  const all = parameters.map((parameter) => resolve(parameter, components.parameters));
  const body = requestBody?.content["application/json"].schema;
  return html`<h4>Parameters</h4>
${parameterList(all, schemas, operationId)}
${body && html`<h4>Body</h4>${fieldList(body, schemas, { isRequest: true, place: `${operationId}.body` })}`}`;
}

/** An answer that is no error: 304 is one too. */
const isSuccess = ([status]: readonly [string, ShownAnswer]): boolean => /^[23]/.test(status);

/** The successful answer first, then the errors. */
function answersOf({ responses }: ShownOperation, { components }: Description): [string, ShownAnswer][] {
  const all = Object.entries(responses).map(([status, answer]): [string, ShownAnswer] => [
    status === "default" ? "any other" : status,
    resolve(answer, components.responses),
  ]);
  return [...all.filter(isSuccess), ...all.filter((one) => !isSuccess(one))];
}

function answers(operation: ShownOperation, description: Description): Html {
  const all = answersOf(operation, description);
  const fields = all.filter(isSuccess).map(([status, { content, description: words }]) => {
    const schema = content?.["application/json"].schema;
    const place = `${operation.operationId}.${status}`;
    const list = schema && fieldList(schema, description.components.schemas, { isRequest: false, place });
    return html`<details><summary>Answer ${status}${list && ": its fields"}</summary>${prose(words)}${list}</details>`;
  });
  const errors = all.filter((one) => !isSuccess(one));
  const errorItems = errors.map(([status, answer]) => html`<dt>${status}</dt><dd>${prose(answer.description)}</dd>`);
  return html`${fields}<details><summary>Errors: ${errors.map(([status]) => status).join(", ")}</summary>
<dl class="errors">${errorItems}</dl></details>`;
}

/** Of the three one is open; browsers close it when another is opened. */
function samples(operation: ShownOperation, description: Description, origin: string): Html[] {
  const { operationId: id } = operation;
  const [[status, answer] = ["", undefined]] = answersOf(operation, description);
  const example = exampleOf(answer?.content);
  const shown: [title: string, text: string][] = [
    ["curl", curlSample(operation, description, origin)],
    ["TypeScript", typeScriptSample(operation, description)],
    [`Answer ${status}`, JSON.stringify(example ?? {}, null, 2)],
  ];
  return shown.map(([title, text], index) => {
    const block = copyable(`${title} of ${operation.summary}`, text, "block");
    return html`<details name="${id}-sample"${index === 0 && html` open`}><summary>${title}</summary>
<div class="copied">${block}</div></details>`;
  });
}
