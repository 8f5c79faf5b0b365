import { Keypair } from '@solana/web3.js';
import type { APIRequestContext, APIResponse, Page } from '@playwright/test';
import type { CallDetail } from '#schema/contracts/calls.ts';
import type { ConnectTelegramResponse } from '#schema/contracts/notifications.ts';
import { oneLine } from '#schema/rules/text/visible-text.ts';
import { expect } from '../fixtures.ts';
import { becomeCaller, control, messagesIn, pressStart, setXAccount, signInByScript } from '../steps.ts';
import {
  accountOf,
  actAs,
  END_PRICE,
  ENTRY_PRICE,
  navigate,
  openCall,
  pinAll,
  type Entry,
  type JourneyOptions,
  type Person,
} from './fixtures.ts';
import { createMints } from './create-mints.ts';
import { becomeCallerAndCall } from './forms.ts';
import { openProfiles, readMessages, showFollowed } from './screens.ts';
import type { Field, Counts } from './counts.ts';

/** Enters the payloads in every field, as users do. Opens every screen that shows them. */
export async function enterEverywhere(options: JourneyOptions): Promise<void> {
  const { payloads, follower, caller } = options;
  const [first] = payloads;
  const mints = payloads.map(() => Keypair.generate());
  await createMints(mints);
  const entries = payloads.map((payload, index) => ({
    ...payload,
    handle: `x_${payload.number}`,
    mint: String(mints[index]?.publicKey),
  }));
  await control(
    '/tokens',
    entries.map(({ mint, text }) => ({ mint, symbol: text, name: text, sentUrl: text })),
  );
  await pinAll(entries, ENTRY_PRICE);
  await signInByScript(follower.request, `fan_${first?.number}`);
  const chatId = await connectTelegram(follower.request, `fan_tele_${first?.number}`);
  await signInByScript(caller.request, `desk_${first?.number}`);

  const people = await signInEach(entries, options);
  await becomeCallerAndCall(entries, options);
  await readMessages(people, { chatId });
  await openProfiles(people, options);
  await showFollowed(people, options);
  await openAddresses(people, options);
  await writeToBot(entries, options);
}

async function connectTelegram(request: APIRequestContext, handle: string): Promise<number> {
  const response = await request.post('/api/user/telegram-connect', { data: { telegramHandle: handle } });
  const { startUrl } = (await response.json()) as ConnectTelegramResponse;
  return pressStart(handle, new URL(startUrl).searchParams.get('start') ?? '');
}

/** Expects 2xx or 4xx. Returns whether it was 2xx. */
function isAccepted(response: APIResponse): boolean {
  expect(response.status(), `${response.url()}: ${response.status()}`).toBeLessThan(500);
  return response.ok();
}

/**
 * For each payload, signs in through X as a person with this name. Makes the person a caller, and opens and
 * ends a call of theirs.
 */
async function signInEach(
  entries: readonly Entry[],
  { owner, follower, counts }: JourneyOptions,
): Promise<Person[]> {
  const { request } = owner;
  const people: Person[] = [];
  for (const entry of entries) {
    const { text, handle, mint } = entry;
    const fields = { name: text, username: text, confirmed_email: text, profile_image_url: text };
    await setXAccount(handle, fields);
    await owner.context().clearCookies();
    await signInByScript(request, handle);
    const user = await accountOf(request);
    counts.enter('X name', `${user.firstName} ${user.lastName}`.trim() === oneLine(text));
    counts.enter('X handle', user.twitterHandle === text);
    counts.enter('X e-mail', user.email === text);
    counts.enter('X picture URL', user.profileImageUrl !== null);
    await postRefused(entry, { request, counts });
    await becomeCaller(request);
    expect(
      (await follower.request.post('/api/subscriptions/free', { data: { callerId: user.id } })).ok(),
    ).toBe(true);
    const made = await openCall({ request, callerId: user.id, mint, thesis: text });
    expect(made.status(), await made.text()).toBe(201);
    const { id } = (await made.json()) as CallDetail;
    people.push({ ...entry, user, callId: id, cookies: await owner.context().cookies() });
  }
  await pinAll(entries, END_PRICE);
  for (const { cookies, callId } of people) {
    await actAs(owner, cookies);
    expect((await request.patch(`/api/token-calls/${callId}/end`)).status()).toBe(200);
  }
  await pinAll(entries, ENTRY_PRICE);
  return people;
}

/** Sends the payload directly to the API, for fields that take only numbers and addresses. */
async function postRefused(
  { text, mint }: Entry,
  { request, counts }: { readonly request: APIRequestContext; readonly counts: Counts },
): Promise<void> {
  const { id: callerId } = await accountOf(request);
  const price = { subscriptionPrice: text };
  counts.enter('application fee', isAccepted(await request.post('/api/user/become-caller', { data: price })));
  const fee = { monthlyFee: text };
  counts.enter('monthly fee', isAccepted(await request.patch('/api/user/caller-profile', { data: fee })));
  const telegram = { telegramHandle: text };
  counts.enter(
    'Telegram username',
    isAccepted(await request.post('/api/user/telegram-connect', { data: telegram })),
  );
  const wallet = { walletAddress: text };
  expect(isAccepted(await request.post('/api/user/wallets/challenge', { data: wallet }))).toBe(false);
  counts.enter('wallet address', isAccepted(await request.post('/api/user/wallets', { data: wallet })));
  for (const [field, level] of [
    ['target price', { targetPrice: text }],
    ['stop price', { stopPrice: text }],
  ] as const) {
    counts.enter(field, isAccepted(await openCall({ request, callerId, mint, ...level })));
  }
}

/** Opens URLs that contain the payloads, as links on other sites would do. */
async function openAddresses(
  people: readonly Person[],
  { caller, follower, visitor, counts }: JourneyOptions,
): Promise<void> {
  for (const { text, handle } of people) {
    const part = encodeURIComponent(text);
    const filters = ['search', 'sort', 'order', 'maxFee', 'verified', 'paid', 'view'];
    const query = filters.map((name) => `${name}=${part}`).join('&');
    const open = async (page: Page, path: string, title: RegExp) => {
      await page.goto(path);
      await expect(page).toHaveTitle(title);
    };
    await open(visitor, `/${part}?${query}#${part}`, /^Page Not Found|^Find /);
    counts.enter('unknown path, query and fragment', true);
    await navigate(visitor, `/call/${part}`);
    await expect(visitor).toHaveTitle(/^Call Not Found/);
    counts.enter('call path', true);
    await navigate(visitor, `/?${query}&view=table`);
    await expect(visitor).toHaveTitle(/^Find /);
    counts.enter('directory parameters', true);
    await navigate(follower, `/payments/${part}`);
    await expect(follower).toHaveTitle(/^Receipt/);
    counts.enter('receipt path', true);
    await navigate(caller, `/how-we-count?${query}#${part}`);
    await expect(caller).toHaveTitle(/^How We Count/);
    await navigate(caller, `/dashboard?token=${part}&view=${part}`);
    const field = caller.getByLabel('Find a token');
    await expect(field).toBeVisible();
    counts.enter('dashboard parameters', (await field.inputValue()) !== '');
    await visitor.goto(`/api/auth/twitter/callback?code=${part}&state=${part}&error=${part}`);
    await expect(visitor.locator('body')).toContainText('This sign-in has expired');
    counts.enter('callback parameters', true);

    await visitor.context().clearCookies();
    const start = await visitor.request.get(`/api/auth/twitter?returnTo=${part}`, { maxRedirects: 0 });
    const landing = await visitor.request.get(`${start.headers()['location']}&login_as=${handle}`);
    const { origin, pathname } = new URL(landing.url());
    expect(origin).toBe(new URL(caller.url()).origin);
    counts.enter('returnTo', pathname !== '/dashboard');
    await visitor.context().clearCookies();
  }
}

async function writeToBot(entries: readonly Entry[], { counts }: JourneyOptions): Promise<void> {
  for (const { text, handle } of entries) {
    for (const [field, sender, payload] of [
      ['Telegram start', `${handle}_tele`, text],
      ['Telegram sender', text, ''],
    ] as const satisfies [Field, string, string][]) {
      const chatId = await pressStart(sender, payload);
      await expect.poll(async () => (await messagesIn(chatId)).length).toBeGreaterThan(1);
      counts.enter(field, true);
    }
  }
}
