import { type RequestHandler, Router } from "express";
import { constant } from "../../http/constant.ts";

/** `/openapi.json` (service.md §9.4), readable from pages of other origins; `openApi` is its text. */
export function apiDescription(openApi: () => string): RequestHandler {
  const headers = { "Access-Control-Allow-Origin": "*", "Content-Type": "application/json; charset=utf-8" };
  return Router({ caseSensitive: true, strict: true }).get("/openapi.json", constant(openApi, headers));
}
