import type { CreatedApiKey } from '#schema/contracts/api-keys.ts';
import { readResponse } from '../responses.ts';
import type { Person, TestApp } from '../test-app.ts';

/** The headers of a program's request. */
export const sentWith = (key: string) => ({ Authorization: `Bearer ${key}` });

/** Creates an API key and uses it once, so that requests within the next hour don't write the time of the last use. */
export async function createApiKey(
  app: TestApp,
  person: Person,
  { mayCall = true }: { mayCall?: boolean } = {},
): Promise<CreatedApiKey> {
  const body = { name: `Bot of ${person.handle}`, mayCall };
  const created = await readResponse<CreatedApiKey>(person.post('/api/user/api-keys', body), 201);
  await readResponse(app.request('/api/callers', { headers: sentWith(created.key) }));
  return created;
}
