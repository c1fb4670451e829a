import { oneOfNames } from "../shared/issue-words.ts";
import { habitsOf } from "../shared/nearest.ts";

/** What a face knows of a caller who sends a field to the wrong place (completions §10). */
export interface Steering {
  /** Fields that the face takes itself, beside the operation's. */
  readonly also: readonly string[];
  /** Fields of the operation that the face takes in another place, such as a path. */
  readonly apart?: readonly string[];
  /** What is parsed came in a query string. */
  readonly isInQuery?: boolean;
  /** Says who takes a field, in the face's own terms; null where nobody does, or where it is `near`, known to be taken here. */
  elsewhere(field: string, near: string | null): string | null;
}

/** Something a caller can turn to: what it is called, and the fields that it takes. */
export interface FieldTaker {
  readonly name: string;
  readonly fields: readonly string[];
}

/** Of more places than these, the first. */
const NAMED = 3;

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

function takers(places: readonly FieldTaker[], field: string): string[] {
  return places.filter(({ fields }) => fields.includes(field)).map(({ name }) => name);
}
