import type { Context } from 'hono';

/** Names the log's size at the time when the data was read, so that verifiers compare it with these entries. */
export const setLogSize = (c: Context, size: number): void => c.header('Log-Size', String(size));
