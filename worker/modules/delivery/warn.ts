/** Logs a line of JSON. */
export const warn = (line: { readonly event: string } & Record<string, unknown>) =>
  console.warn(JSON.stringify(line));
