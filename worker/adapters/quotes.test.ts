import { expect, it } from 'vitest';
import { TOKEN_NAME_MAX_LENGTH, TOKEN_SYMBOL_MAX_LENGTH } from '#schema/constants/prices.ts';
import { SourceBackoffError, SourceFailedError } from '../ports/price-source.ts';
import { quoteFrom, readIdentity, textSchema } from './quotes.ts';
import { systemClock } from './system-clock.ts';

const quote = (error: Error) =>
  quoteFrom('fake', systemClock, async () => {
    throw error;
  });

it.each([
  ['failed', new SourceFailedError('fake', new TypeError('cut'))],
  ['failed too often', new SourceBackoffError({ source: 'fake', retryAt: 0, isFailing: true })],
])('a quote is unavailable if its source %s', async (_name, error) => {
  expect(await quote(error)).toMatchObject({ price: null, failure: 'unavailable' });
});

it.each([
  ['a bug of ours', new TypeError('Cannot read properties of undefined')],
  ['our used-up rate limit', new SourceBackoffError({ source: 'fake', retryAt: 0, isFailing: false })],
])('a quote does not treat %s as an outage of its source', async (_name, error) => {
  await expect(quote(error)).rejects.toBe(error);
});

const namesOf = (symbol: string, name: string) => readIdentity({ symbol, name, icon: null });

it('a token’s symbol and name are cut to the maximum lengths of a call’s', () => {
  const long = 'W'.repeat(70_000);
  const cut = (length: number) => `${'W'.repeat(length - 1)}…`;
  expect(namesOf(long, long)).toMatchObject({
    symbol: cut(TOKEN_SYMBOL_MAX_LENGTH),
    name: cut(TOKEN_NAME_MAX_LENGTH),
  });
});

it('a token’s missing symbol or name is replaced by the other, and a token without both has neither', () => {
  expect(namesOf('', 'Bonk')).toEqual({ symbol: 'Bonk', name: 'Bonk', logoURI: null });
  expect(namesOf('BONK', '')).toEqual({ symbol: 'BONK', name: 'BONK', logoURI: null });
  expect(namesOf('', '')).toBeNull();
  expect([' WIF\n', null, undefined, 7].map((text) => textSchema.parse(text))).toEqual(['WIF', '', '', '']);
});
