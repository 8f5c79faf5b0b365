import type { Context } from 'hono';
import { hashToken } from '../shared/secrets.ts';
import type { Versioned } from '../shared/versioned.ts';
import type { AppEnv } from './context.ts';
import { respondedWith, type Responded } from './pages.ts';

const HTTP_NOT_MODIFIED = 304;

/** The version is the ETag. If the client already has it, returns 304 without reading the data. */
export async function respondVersioned<Env extends AppEnv, Value>(
  c: Context<Env>,
  { version, read }: Versioned<Value>,
): Promise<Responded<Value>> {
  const tag = `"${hashToken(JSON.stringify([c.req.path, version]))}"`;
  c.header('ETag', `W/${tag}`);
  const isKnown = c.req.header('If-None-Match')?.includes(tag) === true;
  return respondedWith(isKnown ? c.body(null, HTTP_NOT_MODIFIED) : c.json(await read()));
}
