import { habitsOf } from "./nearest-name.ts";
import { oneOfNames } from "./validation-messages.ts";

/** What a route knows of a caller who sends a field to the wrong place (completions §10). */
export interface Steering {
  /** Fields that the route itself takes, beside the operation's. */
  readonly also: readonly string[];
  /** Fields of the operation that the route takes in another place, such as the path. */
  readonly apart?: readonly string[];
  /** Whether the input came in a query string. */
  readonly isInQuery?: boolean;
  /** Says what takes a field, in the route's terms; null where nothing does, or where it is `near`, a field taken here. */
  elsewhere(field: string, near: string | null): string | null;
}

/** Something that takes fields, such as a tool: its name and its fields. */
interface FieldTaker {
  readonly name: string;
  readonly fields: readonly string[];
}

/** Most names in one hint. */
const NAMED = 4;

/** Says which of `places` takes a field, or what the field is usually called there. */
export function elsewhereIn(places: readonly FieldTaker[]): Steering["elsewhere"] {
  return (field, near) => {
    const meant = [field, ...habitsOf(field)].find((name) => takers(places, name).length > 0);
    if (meant === undefined || meant === near) return null;
    const names = takers(places, meant).slice(0, NAMED);
    const what = meant === field && near === null ? "it" : `\`${meant}\``;
    return `${oneOfNames(names)} ${names.length === 1 ? "takes" : "take"} ${what}`;
  };
}

function takers(places: readonly FieldTaker[], field: string) {
  return places.filter(({ fields }) => fields.includes(field)).map(({ name }) => name);
}
