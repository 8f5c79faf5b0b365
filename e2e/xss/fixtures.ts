import type { APIRequestContext, APIResponse, Cookie, Locator, Page } from '@playwright/test';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { oneLine } from '#schema/rules/text/visible-text.ts';
import { expect } from '../fixtures.ts';
import { control } from '../steps.ts';
import type { Payload } from './payloads.ts';
import type { Counts } from './counts.ts';

/** A payload, with an X account and a token that have the payload as their name. */
export interface Entry extends Payload {
  readonly handle: string;
  readonly mint: string;
}

export interface Person extends Entry {
  readonly user: CurrentUser;
  readonly cookies: readonly Cookie[];
  /** The id of the ended call. */
  readonly callId: string;
}

/**
 * Four browsers: one for the people who have payloads as names, and one each for a caller, a follower and a
 * visitor.
 */
export interface Fixtures {
  readonly owner: Page;
  readonly caller: Page;
  readonly follower: Page;
  readonly visitor: Page;
}

export interface JourneyOptions extends Fixtures {
  /** At most ten, because a caller may make at most ten calls per hour. */
  readonly payloads: readonly Payload[];
  readonly counts: Counts;
}

export const ENTRY_PRICE = 2;
export const END_PRICE = 1;

export async function pinAll(entries: readonly Entry[], price: number): Promise<void> {
  await control(
    '/prices',
    entries.map(({ mint }) => ({ mint, price })),
  );
}

export const accountOf = async (request: APIRequestContext) =>
  (await (await request.get('/api/auth/user')).json()) as CurrentUser;

interface NewCall {
  readonly request: APIRequestContext;
  readonly callerId: string;
  readonly mint: string;
  readonly thesis?: string;
  readonly targetPrice?: string;
  readonly stopPrice?: string;
}

export function openCall({ request, mint, ...body }: NewCall): Promise<APIResponse> {
  const seen = { tokenSymbol: 'XSS', tokenName: 'XSS', entryPrice: String(ENTRY_PRICE) };
  return request.post('/api/token-calls', { data: { ...seen, tokenMint: mint, ...body } });
}

export async function actAs(page: Page, cookies: readonly Cookie[]): Promise<void> {
  await page.context().clearCookies();
  await page.context().addCookies([...cookies]);
}

/** Inserts a text as if it was pasted. Number fields keep only a part of it. */
export async function paste(field: Locator, text: string): Promise<void> {
  await field.fill('');
  await field.focus();
  await field.page().keyboard.insertText(text);
}

/** Changes the URL without loading the page again. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => history.pushState({}, '', to), path);
}

/** Waits until the element shows all these texts. Ignores control characters, because some fields drop them. */
export async function expectTexts(
  place: Locator,
  entries: readonly Payload[],
  options: { readonly timeout?: number } = {},
): Promise<void> {
  const findMissing = async () => {
    const shown = oneLine((await place.textContent()) ?? '');
    return entries.map(({ text }) => oneLine(text)).filter((text) => !shown.includes(text));
  };
  await expect.poll(findMissing, options).toEqual([]);
}
