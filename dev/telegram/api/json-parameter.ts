/**
 * Reads a structured parameter of the Bot API: a value in a JSON body, or JSON text in a form. Text that isn't
 * JSON is returned unchanged, so that validation refuses it.
 */
export function readJsonParameter(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
