/** Whether a row has a column with another value than the stored one. */
export function differs(stored: object, row: object) {
  return Object.entries(row).some(([name, value]) => Reflect.get(stored, name) !== value);
}
