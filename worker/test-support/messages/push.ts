import type { PushMessage, PushSettings } from '#schema/contracts/push.ts';
import { readResponse } from '../responses.ts';
import { control, type Person, type TestApp } from '../test-app.ts';

interface Browser {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

export interface Received extends PushMessage {
  readonly endpoint: string;
  /** In seconds. */
  readonly ttl: number;
}

/** Subscribes a new browser at the local push service. */
export const newBrowser = () => control<Browser>('POST', '/push/browsers');

export const putDevice = (app: TestApp, { cookie }: Pick<Person, 'cookie'>, body: unknown) =>
  app.request('/api/user/push', { method: 'PUT', cookie, body });

/** Turns notifications on in a user's browser. Returns the endpoint of its subscription. */
export async function turnOn(app: TestApp, person: Pick<Person, 'cookie'>): Promise<string> {
  const browser = await newBrowser();
  await readResponse<PushSettings>(putDevice(app, person, browser));
  return browser.endpoint;
}

/** The decrypted messages of a browser, oldest first. */
export async function receivedBy(endpoint: string): Promise<Received[]> {
  const all = await control<{ endpoint: string; content: string; ttl: number }[]>('GET', '/push/messages');
  return all
    .filter((each) => each.endpoint === endpoint)
    .map(({ content, ...rest }) => ({ ...rest, ...(JSON.parse(content) as PushMessage) }));
}
