import type { Context } from 'hono';

/** Names the log's size when the data was read, so that verifiers compare the data with the log up to this size. */
export const setLogSize = (c: Context, size: number): void => c.header('Log-Size', String(size));
