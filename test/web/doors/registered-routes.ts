import type { Router } from "express";
import { z } from "zod";

const Layers = z.array(
  z.looseObject({
    route: z
      .looseObject({
        path: z.union([z.string(), z.array(z.string())]),
        stack: z.array(z.looseObject({ method: z.string() })),
      })
      .optional(),
    handle: z.unknown(),
  }),
);

/** Every route of a router and of the routers in it, as `GET /path/:parameter`, once each. */
export function registeredRoutes(router: Router): string[] {
  return [...new Set(routesIn(router.stack))];
}

function routesIn(stack: unknown): string[] {
  return Layers.parse(stack).flatMap(({ route, handle }) => {
    if (route === undefined) return typeof handle === "function" && "stack" in handle ? routesIn(handle.stack) : [];
    const paths = typeof route.path === "string" ? [route.path] : route.path;
    return route.stack.flatMap(({ method }) => paths.map((path) => `${method.toUpperCase()} ${path}`));
  });
}
