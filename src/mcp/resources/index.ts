import { CUSTOMER_AGING } from "./customer-aging.ts";
import { GUIDE } from "./guide.ts";
import { INVOICE } from "./invoice.ts";
import type { ResourceTemplate, StaticResource } from "./resource.ts";

/** Resources that are the same for everybody; `openApi` is the description of the REST API. */
export function staticResources(openApi: () => string): readonly StaticResource[] {
  return [
    GUIDE,
    {
      uri: "receivables://openapi.json",
      name: "openapi",
      title: "REST API description",
      description: "OpenAPI 3.1 of the API for systems. Long, and for writing programs: tools need none of it.",
      mimeType: "application/json",
      read: openApi,
    },
  ];
}

/** Resources of the caller's workspace. */
export const resourceTemplates: readonly ResourceTemplate[] = [INVOICE, CUSTOMER_AGING];
