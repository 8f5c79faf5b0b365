import { expect, it } from 'vitest';
import { findNamed, readInactiveName } from './caller-call-names.ts';

const MINT = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const call = (tokenSymbol: string, { isActive = true, tokenMint = tokenSymbol } = {}) => ({
  tokenSymbol,
  tokenMint,
  isActive,
});
const CALLS = [
  call('WIF', { tokenMint: MINT }),
  call('$JTO'),
  call('MY'),
  call('$'),
  call('MY DOG', { isActive: false }),
  call('POPCAT', { isActive: false }),
];

it.each([
  ['WIF sold half', ['WIF'], 'sold half'],
  ['$wif sold half', ['WIF'], 'sold half'],
  ['#Wif: sold\nhalf', ['WIF'], 'sold\nhalf'],
  ['WIF\nsold half', ['WIF'], 'sold half'],
  ['WIF - sold half', ['WIF'], 'sold half'],
  ['WIF -5%', ['WIF'], '-5%'],
  ['WIF', ['WIF'], ''],
  ['wif...', ['WIF'], ''],
  [`${MINT.toLowerCase()} sold`, ['WIF'], 'sold'],
  ['$jto hello', ['$JTO'], 'hello'],
  ['JTO hello', ['$JTO'], 'hello'],
  ['WIF’s team sold', ['WIF'], 'WIF’s team sold'],
  ['WIFI is down', [], 'WIFI is down'],
  ['sold WIF', [], 'sold WIF'],
  ['$', [], '$'],
  ['My hat', ['MY'], 'hat'],
  ['my dog barks', ['MY DOG'], 'barks'],
  ['popcat sold', ['POPCAT'], 'sold'],
])('findNamed splits %j into the named tokens %j and the text %j', (text, symbols, rest) => {
  const found = findNamed(CALLS, text);
  expect(found.named.map(({ tokenSymbol }) => tokenSymbol)).toEqual(symbols);
  expect(found.rest).toBe(rest);
});

it('findNamed finds both calls whose symbols differ only in the dollar sign', () => {
  expect(findNamed([call('WIF'), call('$WIF')], 'WIF sold').named).toHaveLength(2);
});

it.each([
  ['$BONK sold', '$BONK'],
  ['$🐶 sold', '$🐶'],
  [`${MINT} sold`, MINT],
  ['$500 taken out', null],
  ['$.5 is next', null],
  ['$ sold', null],
  ['Bonk sold', null],
])('if there are no calls, readInactiveName of %j returns %j', (text, name) => {
  expect(readInactiveName([], text)).toBe(name);
});

it('readInactiveName returns an ended call’s name unless an active call has the same name', () => {
  const ended = call('WIF', { isActive: false });
  expect(readInactiveName([ended], 'wif sold')).toBe('WIF');
  expect(readInactiveName([call('WIF'), ended], 'wif sold')).toBeNull();
});
