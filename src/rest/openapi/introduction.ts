/** The text above the operations. */
export const INTRODUCTION = `
Receivables of one workspace for systems: invoices, installments, payment links and payments, ERP connections and their sync
runs, tasks and aging.

- **Authentication**: \`Authorization: Bearer <API_KEY>\` on every request. A key belongs to one workspace and is \`admin\` or
  \`readonly\`; each operation's \`x-permission\` says which it takes. An id of another workspace is answered like a missing one.
- **Money** is an exact decimal string in major units; fields named \`*_minor\` are integers in the currency's minor unit.
  Amounts of different currencies are never added up.
- **Times** are ISO 8601 in UTC, dates \`YYYY-MM-DD\` in the workspace's time zone.
- **Lists** are ordered by creation time and paged with an opaque \`cursor\`, which is valid for the same query only. Unknown or
  repeated parameters are refused.
- **Limits**: 120 requests a minute per key, 600 per workspace. Every response tells the headroom in \`RateLimit-*\`.
- **Errors** are \`{ "error": { code, message, request_id, details? } }\`, for every failure. A path that exists, asked with
  another method, answers 405 \`method_not_allowed\` with \`Allow\`.
- **Compatibility**: within \`/v1\` fields, values of filters and operations are only ever added. Tolerate what you do not know.
`.trim();
