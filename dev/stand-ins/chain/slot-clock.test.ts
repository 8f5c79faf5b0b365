import { expect, test } from 'vitest';
import { call, fund, openTestChain, serveTestChain, SOL, START } from './test-environment.ts';

const MINUTE_MS = 60_000;

async function open(slotMs: number) {
  const environment = openTestChain({ slotMs });
  const { url } = await serveTestChain(environment.chain);
  return {
    ...environment,
    read: async (method: string, ...params: unknown[]) => (await call(url, method, ...params)).result,
  };
}

test.each([200, 250, 400])(
  'with slots of %i ms, block times, performance samples and the expiry of a blockhash follow that length',
  async (slotMs) => {
    const { chain, advance, read } = await open(slotMs);
    const [slot, { blockhash, lastValidBlockHeight }] = [chain.clock.slot(), chain.latestBlockhash()];
    const signature = chain.airdrop(fund(chain).publicKey.toBase58(), SOL);
    advance(149.5 * slotMs);
    expect(chain.isBlockhashValid(blockhash)).toBe(true);
    advance(1.5 * slotMs);
    expect(chain.isBlockhashValid(blockhash)).toBe(false);
    expect(chain.blockHeight()).toBe(lastValidBlockHeight + 1);
    advance(MINUTE_MS - 151 * slotMs);
    const newest = await read('getSlot', { commitment: 'processed' });
    expect(newest - slot).toBe(MINUTE_MS / slotMs);
    expect((await read('getBlockTime', newest)) - (await read('getBlockTime', slot))).toBe(60);
    expect(await read('getRecentPerformanceSamples', 1)).toEqual([
      expect.objectContaining({ slot: newest, numSlots: MINUTE_MS / slotMs, samplePeriodSecs: 60 }),
    ]);
    const { blockTime } = await read('getTransaction', signature);
    expect(blockTime).toBe(START / 1_000);
  },
);

test('when the length of slots changes, earlier slots keep their times, even after a restart', async () => {
  const environment = await open(400);
  const { advance, read, reopen } = environment;
  const start = environment.chain.clock.slot();
  const signature = environment.chain.airdrop(fund(environment.chain).publicKey.toBase58(), SOL);
  advance(MINUTE_MS + 100);
  environment.chain.setSlotMs(200);
  advance(300);
  const change = environment.chain.clock.slot();
  expect(change - start).toBe(151);
  advance(MINUTE_MS);
  const expectTimes = ({ clock, transaction }: typeof environment.chain) => {
    expect(clock.slot() - change).toBe(300);
    expect(clock.timeOf(change - 1) - clock.timeOf(start)).toBe(MINUTE_MS);
    expect(clock.timeOf(change) - clock.timeOf(change - 1)).toBe(400);
    expect(clock.timeOf(change + 1) - clock.timeOf(change)).toBe(200);
    expect(clock.slotAt(clock.timeOf(start + 7))).toBe(start + 7);
    expect(transaction(signature)?.slot).toBe(start);
  };
  expectTimes(environment.chain);
  expectTimes(reopen());
  const samples = () => read('getRecentPerformanceSamples', 3);
  expect(await samples()).toMatchObject([{ numSlots: 299 }, { numSlots: 150 }, { numSlots: 150 }]);
  advance(MINUTE_MS - 500);
  expect(await samples()).toMatchObject([{ numSlots: 299 }, { numSlots: 150 }, { numSlots: 150 }]);
  advance(100);
  expect(await samples()).toMatchObject([{ numSlots: 300 }, { numSlots: 299 }, { numSlots: 150 }]);
});
