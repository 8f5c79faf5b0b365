import { beforeEach, expect, it, vi } from 'vitest';
import { PortUnavailableError } from '../ports/unavailable.ts';
import { stubChain, type StubResponse } from '#test/payments/stub-solana.ts';

const METHOD = 'getRecentPerformanceSamples';
const NO_METHOD: StubResponse = { error: { code: -32601, message: 'Method not found' } };

beforeEach(() => void vi.spyOn(console, 'warn').mockReturnValue());

const samples = (...numSlots: number[]) => ({
  [METHOD]: {
    result: numSlots.map((count, index) => ({
      slot: 1_000 - index,
      numTransactions: 1,
      numNonVoteTransactions: 1,
      numSlots: count,
      samplePeriodSecs: 60,
    })),
  },
});

it.each([
  [[240], 250],
  [[300], 200],
  [[150, 300], 400],
])(
  'the measured slot length for one-minute samples with %j slots, the newest first, is %i ms',
  async (numSlots, expected) => {
    const { chain } = stubChain({ primary: samples(...numSlots) });
    expect(await chain.slotMs()).toBe(expected);
  },
);

it('the slot length is measured again after 15 seconds', async () => {
  const { chain, requests, advance } = stubChain({ primary: samples(240) });
  await chain.slotMs();
  advance(14_999);
  await chain.slotMs();
  expect(requests()).toHaveLength(1);
  advance(1);
  await chain.slotMs();
  expect(requests()).toHaveLength(2);
});

it.each<[string, object]>([
  ['lacks the method', { [METHOD]: NO_METHOD }],
  ['has no samples', samples()],
  ['has had no slots', samples(0, 0)],
  ['returns something else', { [METHOD]: { result: [{ numSlots: '240' }] } }],
])('the slot length comes from the other endpoint if the first endpoint %s', async (_what, primary) => {
  const { chain } = stubChain({ primary: { ...primary }, fallback: samples(240) });
  expect(await chain.slotMs()).toBe(250);
  const { chain: neither } = stubChain({ primary: { ...primary }, fallback: { ...primary } });
  await expect(neither.slotMs()).rejects.toThrow(PortUnavailableError);
});

it('an endpoint without performance samples still gets other requests first', async () => {
  const slot = { getSlot: { result: 7 } };
  const { chain, requests } = stubChain({ primary: slot, fallback: { ...slot, ...samples(240) } });
  await chain.slotMs();
  await chain.slot();
  expect(requests()).toEqual([`primary ${METHOD}`, `fallback ${METHOD}`, 'primary getSlot']);
});

it('the block time of a skipped slot is the time of the next block', async () => {
  const onBody = vi.fn();
  const { chain } = stubChain({
    primary: { getBlocks: { result: [12, 13] }, getBlockTime: { result: 1_700_000_000 } },
    onBody,
  });
  expect(await chain.blockTime(10)).toBe(1_700_000_000_000);
  expect(onBody.mock.lastCall?.[0]).toContain('"params":[12]');
});

it.each<[string, StubResponse, StubResponse]>([
  ['no block follows', { result: [] }, { result: 1 }],
  ['the block is no longer stored', { result: [10] }, { error: { code: -32004, message: 'Not available' } }],
  ['the block has no time', { result: [10] }, { result: null }],
  ['the slots are no longer stored', { error: { code: -32001, message: 'Cleaned up' } }, { result: 1 }],
])('the block time of a slot comes from the other endpoint if %s', async (_what, getBlocks, getBlockTime) => {
  const primary = { getBlocks, getBlockTime };
  const fallback = { getBlocks: { result: [10] }, getBlockTime: { result: 1_700_000_000 } };
  expect(await stubChain({ primary, fallback }).chain.blockTime(10)).toBe(1_700_000_000_000);
  await expect(stubChain({ primary }).chain.blockTime(10)).rejects.toThrow(PortUnavailableError);
});
