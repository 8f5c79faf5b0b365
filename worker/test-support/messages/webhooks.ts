import type { CreatedWebhook, WebhookBody } from '#schema/contracts/webhooks.ts';
import { readResponse } from '../responses.ts';
import { control, testEnv, type Person, type TestApp } from '../test-app.ts';

interface Received {
  readonly id: string;
  readonly isSigned: boolean;
  readonly body: string;
}

let receivers = 0;

export const putWebhook = (app: TestApp, { cookie }: Pick<Person, 'cookie'>, url: string) =>
  app.request('/api/user/webhook', { method: 'PUT', cookie, body: { url } });

/** Saves a webhook at the local receiver. */
export async function openWebhook(app: TestApp, person: Pick<Person, 'cookie'>) {
  receivers += 1;
  const name = `receiver-${receivers}`;
  const url = `${new URL(testEnv.TEST_CONTROL_URL).origin}/webhooks/${name}`;
  const { secret } = await readResponse<CreatedWebhook>(putWebhook(app, person, url));
  const list = () => control<Received[]>('GET', `/webhooks/${name}?secret=${encodeURIComponent(secret)}`);
  return {
    secret,
    list,
    bodies: async () => (await list()).map(({ body }) => JSON.parse(body) as WebhookBody),
    types: async () => (await list()).map(({ body }) => (JSON.parse(body) as WebhookBody).type),
    setStatus: (status: number) => control('POST', `/webhooks/${name}/status/${status}`),
  };
}
