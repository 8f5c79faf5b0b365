import { beforeEach, expect, it, vi } from 'vitest';
import { FIRST_POSITION } from '../ports/chain.ts';
import { stubChain } from '#test/payments/stub-solana.ts';

const ADDRESS = '11111111111111111111111111111111';
const METHOD = 'getSignaturesForAddress';

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

/** Transactions numbered down from `newest`, two per slot and eight per second. */
const list = (newest: number, count: number) => ({
  [METHOD]: {
    result: Array.from({ length: count }, (_, index) => {
      const number = newest - index;
      return {
        signature: `s${number}`,
        slot: Math.floor(number / 2),
        err: null,
        memo: '[2] hi',
        blockTime: Math.floor(number / 8),
      };
    }),
  },
});
const at = (number: number) => ({ signature: `s${number}`, slot: Math.floor(number / 2) });
const page = (positions: readonly { signature: string; slot: number }[], before: string | null = null) => ({
  address: ADDRESS,
  before,
  positions,
});

it('a page of finalized transactions leaves out its oldest slot, which may continue on the next page', async () => {
  const { chain } = stubChain({ primary: list(2_000, 1_000), fallback: list(2_000, 1_000) });
  const { entries, end } = await chain.finalizedPage(page([at(5)]));
  expect(end).toBe('more');
  expect(entries).toHaveLength(999);
  // Transactions 1001 and 1000 are both in slot 500, but 1000 is on the next page.
  expect(entries.at(-1)).toEqual({ ...at(1_002), hasFailed: false, at: 125_000, memo: '[2] hi' });
});

it('a page of finalized transactions ends at the next older position if a fork removed the newest position', async () => {
  const { chain } = stubChain({ primary: list(20, 15), fallback: list(20, 15) });
  const { entries, end } = await chain.finalizedPage(
    page([{ signature: 'forked', slot: 9 }, at(18), at(17)]),
  );
  expect(end).toBe('met');
  expect(entries.map(({ signature }) => signature)).toEqual(['s20', 's19']);
});

it('newestFinalizedPage returns the page of the endpoint with the newest transactions, and then prefers it', async () => {
  const transaction = { getTransaction: { result: null } };
  const { chain, requests } = stubChain({
    primary: { ...list(500, 300), ...transaction },
    fallback: { ...list(1_000, 900), ...transaction },
  });
  const { entries } = await chain.newestFinalizedPage(page([at(400)]));
  expect(entries[0]?.signature).toBe('s1000');
  await chain.transaction('1'.repeat(64));
  expect(requests().slice(2)).toEqual(['fallback getTransaction']);
});

it.each([
  ['has lost the known position', list(20, 2)],
  ['does not know the page before', list(0, 0)],
])(
  'an older page of finalized transactions comes from the other endpoint if one endpoint %s',
  async (_what, short) => {
    const { chain, requests } = stubChain({ primary: short, fallback: list(20, 15) });
    const { entries } = await chain.finalizedPage(page([at(18)], 's21'));
    expect(entries.map(({ signature }) => signature)).toEqual(['s20', 's19']);
    expect(requests()).toEqual([`primary ${METHOD}`, `fallback ${METHOD}`]);
  },
);

it('a page of finalized transactions has the end “passed” if no endpoint has the transaction at the position', async () => {
  const short = list(20, 3);
  const { chain } = stubChain({ primary: short, fallback: short });
  expect(await chain.finalizedPage(page([at(5)]))).toMatchObject({ end: 'passed', entries: { length: 3 } });
});

it('a page of finalized transactions up to the first position has the end “met”', async () => {
  const { chain } = stubChain({ primary: list(3, 3), fallback: list(3, 3) });
  expect(await chain.finalizedPage(page([FIRST_POSITION]))).toMatchObject({
    end: 'met',
    entries: { length: 3 },
  });
});
