/**
 * A structured parameter of the Bot API: a value within a JSON body, or JSON as text within a
 * form. Text that is no JSON stays text, and then fits no schema.
 */
export function readJsonParameter(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
