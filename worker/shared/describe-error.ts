import { DrizzleQueryError } from 'drizzle-orm';

const MAX_CAUSES = 5;

/**
 * Describes an error for the log: names, messages and causes. Leaves out Drizzle's messages, which list a
 * statement's parameters, and a JSON syntax error's message, which quotes its input.
 */
export function describeError(error: unknown): string {
  const parts: string[] = [];
  for (let each = error; each !== undefined && parts.length < MAX_CAUSES; each = causeOf(each)) {
    parts.push(describeOne(each));
  }
  return parts.join('\nCaused by: ');
}

/** Like `describeError`, with the stack of the outermost error. */
export function describeErrorWithStack(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return [describeError(error), ...frames].join('\n');
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function describeOne(error: unknown): string {
  if (error instanceof DrizzleQueryError) return `Failed query: ${error.query}`;
  if (error instanceof SyntaxError) return error.name;
  return String(error);
}
