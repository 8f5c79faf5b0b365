import fc from 'fast-check';
import { expect, it } from 'vitest';
import { oneLine } from '#schema/rules/text/visible-text.ts';
import { clickableIn, hostileName } from '#test/messages/message-text.ts';
import { composeMessage, isolateName, showHandle, showPerson, showToken } from './plain-text.ts';

/** Drops invisible characters. */
const read = (text: string) => text.replace(/\p{Cf}/gu, '');

it.each([
  't.me/scam',
  'evil.com',
  'https://evil',
  'tg://resolve?domain=x',
  'mail@evil.com',
  '@admin',
  '/start',
  '#airdrop',
  '$WIF',
  '+1 (800) 555-0199',
  'нет.рф',
  '4111_1111_1111_1111',
  'evil․com',
  'evil﹒com',
  't․me⁄scam',
  '﹫admin',
  '﹟airdrop',
  '﹩WIF',
  '⁄start',
  '∕start',
  'https﹕⁄⁄evil',
])('a name that Telegram would make clickable stays readable, but isn’t clickable: %s', (name) => {
  expect(clickableIn(name)).not.toEqual([]);
  const shown = isolateName(name) ?? '';
  expect(read(shown)).toBe(name);
  expect(clickableIn(shown)).toEqual([]);
});

it.each(['Ada Byron', 'dogwifhat', 'JUP', 'Łódź', 'عبد الرحمن', '1000SATS', '#️⃣1', '🪁'])(
  'a name that Telegram would not make clickable is only put between direction marks: %s',
  (name) => {
    expect(isolateName(name)).toBe(`\u2068${name}\u2069`);
  },
);

it.each([
  ['Ada\n\nByron', 'Ada Byron'],
  ['W\tIF', 'W IF'],
  ['a\u2028b\u2029c\u0085d\0e', 'a b c d e'],
  ['Ada\u202E\u2066\u2069\u2069 Byron\u200F', 'Ada Byron'],
  ['\ud800x', '\ufffdx'],
])(
  'a name in a message becomes one line and cannot change the direction of other text: %j',
  (name, shown) => {
    expect(isolateName(name)).toBe(`\u2068${shown}\u2069`);
  },
);

it('a long name in a message is cut, but not inside an emoji', () => {
  expect(isolateName('🪁'.repeat(200))).toMatch(/^\u2068(?:🪁){49}…\u2069$/u);
});

it('a random hostile name in a message has one line and is not clickable', () => {
  fc.assert(
    fc.property(hostileName, (name) => {
      const shown = showPerson({ name, handle: name });
      expect(shown).not.toMatch(/[\n\r\u2028\u2029\u0085]/u);
      expect(clickableIn(shown)).toEqual([]);
      const isolates = oneLine(name.slice(0, 1_000)) === '' ? 0 : 1;
      expect([shown.split('\u2068').length - 1, shown.split('\u2069').length - 1]).toEqual([
        isolates,
        isolates,
      ]);
    }),
  );
});

const unseen = ['', ' ', '\u200B\u200D', '\u2068\u2069\u202E', '\u3164', '\0\n'];

it.each(unseen)('a person’s invisible name is replaced by the handle: %j', (name) => {
  expect(showPerson({ name, handle: 'ada' })).toBe('@\u2060ada');
});

it.each(unseen)(
  'a token’s invisible name or symbol is left out, and its mint is shown if both are invisible: %j',
  (name) => {
    const token = {
      tokenSymbol: 'WIF',
      tokenName: 'dogwifhat',
      tokenMint: 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm',
    };
    expect(showToken(token)).toBe('\u2068WIF\u2069 (\u2068dogwifhat\u2069)');
    expect(showToken({ ...token, tokenName: name })).toBe('\u2068WIF\u2069');
    expect(showToken({ ...token, tokenSymbol: name })).toBe('\u2068dogwifhat\u2069');
    expect(showToken({ ...token, tokenSymbol: name, tokenName: name })).toBe('EKpQ…zcjm');
  },
);

it('a handle on X is readable, but not a clickable mention on Telegram', () => {
  expect(read(showHandle('ada'))).toBe('@ada');
  expect(clickableIn(showHandle('ada'))).toEqual([]);
});

it('a person who lost their handle on X is shown without a handle', () => {
  const handle = 'user-1900000000000000006';
  expect(read(showPerson({ name: 'Ada Byron', handle }))).toBe('Ada Byron');
  expect(showPerson({ name: '', handle })).toBe('an account (its X handle changed)');
});

it('the names in a message that is too long are shortened only as far as necessary', () => {
  const head = (length: number) => `${isolateName('n'.repeat(100), length)}`;
  const words = 'w'.repeat(4_096 - 60);
  const text = composeMessage({ head, words, link: 'https://x.test' });
  expect(text).toHaveLength(4_096);
  expect(text.endsWith(`\n\n${words}\n\nhttps://x.test`)).toBe(true);
});

it('the text of a message is shortened if the message is too long even with the shortest names', () => {
  const text = composeMessage({
    head: (length) => `${isolateName('n'.repeat(100), length)}`,
    words: 'w'.repeat(9_000),
    link: 'https://x.test',
  });
  expect(text).toMatch(/^\u2068n{7}…\u2069\n\nw+…\n\nhttps:\/\/x\.test$/);
  expect(text).toHaveLength(4_096);
});
