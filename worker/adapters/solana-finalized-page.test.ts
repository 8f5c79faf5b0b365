import { expect, it, vi } from 'vitest';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { stubChain } from '../test-support/payments/stub-solana.ts';

const ADDRESS = '11111111111111111111111111111111';
const METHOD = 'getSignaturesForAddress';

/** Transactions numbered down from `newest`, two per slot. */
const list = (newest: number, count: number) => ({
  result: Array.from({ length: count }, (_, index) => {
    const number = newest - index;
    return { signature: `s${number}`, slot: Math.floor(number / 2), err: null, memo: null, blockTime: 1 };
  }),
});
const page = (query: { before?: string; until?: string }) => ({
  address: ADDRESS,
  before: query.before ?? null,
  until: query.until ?? null,
});

it('a page of finalized transactions leaves out its oldest slot, which may continue on the next page', async () => {
  const { chain } = stubChain({ primary: { [METHOD]: list(2_000, 1_000) } });
  const { entries, isLast } = await chain.finalizedPage(page({ until: 's5' }));
  expect(isLast).toBe(false);
  expect(entries).toHaveLength(999);
  // Transaction 1001 is in slot 500, as is 1000 on the next page.
  expect(entries.at(-1)).toEqual({ signature: 's1002', slot: 501, hasFailed: false, at: 1_000 });
});

it('a page of finalized transactions is the last one only if it contains the known signature', async () => {
  const { chain } = stubChain({ primary: { [METHOD]: list(20, 15) } });
  const { entries, isLast } = await chain.finalizedPage(page({ until: 's18' }));
  expect(isLast).toBe(true);
  expect(entries.map(({ signature }) => signature)).toEqual(['s20', 's19']);
});

it.each([
  ['has lost the known signature', list(20, 2)],
  ['does not know the position', list(0, 0)],
])(
  'a page of finalized transactions comes from the other endpoint if one endpoint %s',
  async (_what, short) => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { chain, requests } = stubChain({
      primary: { [METHOD]: short },
      fallback: { [METHOD]: list(20, 15) },
    });
    const { entries } = await chain.finalizedPage(page({ before: 's21', until: 's18' }));
    expect(entries.map(({ signature }) => signature)).toEqual(['s20', 's19']);
    expect(requests()).toEqual([`primary ${METHOD}`, `fallback ${METHOD}`]);
    vi.restoreAllMocks();
  },
);

it('a page of finalized transactions fails if no endpoint’s history goes back far enough', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const short = { [METHOD]: list(20, 3) };
  const { chain } = stubChain({ primary: short, fallback: short });
  await expect(chain.finalizedPage(page({ until: 's5' }))).rejects.toThrow(PortUnavailableError);
  vi.restoreAllMocks();
});

it('a page of finalized transactions may be short if no signature is known yet', async () => {
  const { chain } = stubChain({ primary: { [METHOD]: list(3, 3) } });
  expect(await chain.finalizedPage(page({}))).toMatchObject({ isLast: true, entries: { length: 3 } });
});
