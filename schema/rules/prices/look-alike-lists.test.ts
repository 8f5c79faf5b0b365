import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { tokenKeys } from './look-alike.ts';

interface Listed {
  readonly chainId: number;
  readonly symbol: string;
  readonly name: string;
  readonly extensions?: { readonly coingeckoId?: string };
}

const MAINNET = 101;
const path = createRequire(import.meta.url).resolve(
  '@solana/spl-token-registry/dist/main/tokens/solana.tokenlist.json',
);
const { tokens } = JSON.parse(readFileSync(path, 'utf8')) as { tokens: readonly Listed[] };
const rank = ({ extensions }: Listed) => Number(extensions?.coingeckoId === undefined);
const known = tokens
  .filter(({ chainId }) => chainId === MAINNET)
  .toSorted((one, other) => rank(one) - rank(other))
  .slice(0, 2_000);

const plain = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const byKey = Map.groupBy(
  known.flatMap((token) =>
    [...new Set([token.symbol, token.name].flatMap(tokenKeys))].map((key) => ({ key, token })),
  ),
  ({ key }) => key,
);
const lookAlikesOf = (texts: readonly string[]) =>
  texts.flatMap(tokenKeys).flatMap((key) => byKey.get(key) ?? []);

it('none of the 2,000 best-known tokens of a registry is flagged as an imitation of a token with another symbol and name', () => {
  const warnings = known.flatMap(({ symbol, name }) => {
    const own = [plain(symbol), plain(name)];
    return lookAlikesOf([symbol, name]).filter(
      ({ token }) => !own.includes(plain(token.symbol)) && !own.includes(plain(token.name)),
    );
  });
  expect(warnings).toEqual([]);
});

it('500 names of countries in other scripts imitate none of the 2,000 best-known tokens', () => {
  const regions = [
    'JP',
    'RU',
    'EG',
    'GR',
    'IL',
    'TH',
    'IN',
    'AM',
    'GE',
    'UA',
    'CN',
    'KR',
    'BR',
    'US',
    'DE',
    'FR',
    'IT',
    'ES',
    'TR',
    'IR',
  ];
  const locales = [
    'ja',
    'ru',
    'ar',
    'el',
    'he',
    'th',
    'hi',
    'hy',
    'ka',
    'uk',
    'zh',
    'ko',
    'bg',
    'sr',
    'fa',
    'bn',
    'ta',
    'te',
    'am',
    'km',
    'lo',
    'my',
    'mn',
    'kk',
    'ur',
  ];
  const names = locales.flatMap((locale) => {
    const display = new Intl.DisplayNames([locale], { type: 'region' });
    return regions.map((region) => display.of(region) ?? '');
  });
  expect(new Set(names.filter((name) => !/[a-z]/i.test(name))).size).toBeGreaterThan(450);
  expect(names.filter((name) => lookAlikesOf([name]).length > 0)).toEqual([]);
});
