import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { beforeEach, expect, inject, it, vi } from 'vitest';
import { createPlatformWalkService } from '#worker/modules/money/payments/platform-walk.service.ts';
import { createReconcileService } from '#worker/modules/money/payments/reconcile.service.ts';
import { createId } from '#worker/shared/ids.ts';
import { query } from '#test/database/database.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { resetStorage } from '#test/database/storage.ts';
import { jobOptions } from '#test/payments/job-options.ts';
import { createSimulatedRpc } from './support/simulated-rpc.ts';

// The server must find payments that wallets send by themselves, even while many dialogs are open and strangers send
// dust to the platform wallet.

const isDeep = inject('isDeep');
const MINUTE = 60_000;
const START = Date.UTC(2101, 0, 1);
const SLOTS_BEHIND = 200;
const PLATFORM = Keypair.fromSeed(new Uint8Array(32).fill(21)).publicKey.toBase58();
const PAYOUT = Keypair.fromSeed(new Uint8Array(32).fill(22)).publicKey.toBase58();
const PAYER = Keypair.fromSeed(new Uint8Array(32).fill(23)).publicKey.toBase58();
const PEOPLE = 50;
const GOLDEN_RATIO = 0.618_033_988_75;
const LOADS = isDeep ? [5, 30, 120, 600] : [30];
const MINUTES = isDeep ? 180 : 10;
/** One payment in ten is made by a wallet alone, and one of twenty such wallets drops the memo. */
const WALLET_SHARE = 10;
const WITHOUT_MEMO_SHARE = isDeep ? 20 : 5;
const DUST_PER_MINUTE = isDeep ? 67 : 15;
const BURST = isDeep ? 5_000 : 100;
const BURST_EVERY = isDeep ? 60 : 8;
/** The newest saved position is removed by a fork at this minute. */
const FORK_AT = Math.floor(MINUTES / 2);

let now: number;
let numbers: number;
/** The number of payments made so far. */
let payments: number;
const clock = { now: () => now, sleep: async () => undefined };

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  // One invocation may have 10,000 timers, and the simulation makes more requests, which never time out.
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
  now = START;
  numbers = 0;
  payments = 0;
  await resetStorage();
  await insertRows(
    'users',
    Array.from({ length: PEOPLE + 1 }, (_, number) => ({ id: `user-${number}` })),
  );
  const caller = { caller_id: `user-${PEOPLE}`, fee_lamports: 1_000_000_000, payout_address: PAYOUT };
  await insertRows('callers', [caller]);
});

const newKey = () => {
  numbers += 1;
  const bytes = new Uint8Array(32);
  new DataView(bytes.buffer).setUint32(0, numbers);
  return bs58.encode(bytes.fill(7, 4));
};
const newSignature = () => newKey() + newKey().slice(0, 40);

function startServices({ chain }: ReturnType<typeof createSimulatedRpc>) {
  const options = {
    ...jobOptions({ chain, clock, alarms: [] }),
    platformAddress: PLATFORM,
    signaturesPerRequest: 256,
  };
  const walk = createPlatformWalkService(options);
  const reconciliation = createReconcileService(options);
  return async () => {
    await reconciliation.reconcile();
    await walk.walk();
    await reconciliation.finalize();
  };
}

interface Opened {
  readonly id: string;
  readonly userId: string;
  readonly reference: string;
}

async function openDialogs(count: number): Promise<Opened[]> {
  const opened = Array.from({ length: count }, () => ({
    id: createId(),
    userId: `user-${numbers % PEOPLE}`,
    reference: newKey(),
  }));
  await query(
    `INSERT INTO payment_intents (id, user_id, caller_id, reference, caller_address, platform_address,
       fee_lamports, days, total_lamports, caller_lamports, platform_lamports, created_at, expires_at)
     SELECT value ->> 'id', value ->> 'userId', 'user-${PEOPLE}', value ->> 'reference', '${PAYOUT}', '${PLATFORM}',
       1000000000, 30, 1000000000, 900000000, 100000000, ?1, ?1 + ${10 * MINUTE}
     FROM json_each(?2)`,
    now,
    JSON.stringify(opened),
  );
  return opened;
}

interface Paid {
  readonly at: number;
  readonly hasMemo: boolean;
  readonly intentId: string;
}

/** Lands a minute's payments and dust, both spread evenly. Returns the payments. */
function landMinute(rpc: ReturnType<typeof createSimulatedRpc>, opened: readonly Opened[], dust: number) {
  const paid = opened.filter((_, index) => index % WALLET_SHARE === 0);
  const senders = [...paid, ...Array.from({ length: dust }, () => null)];
  const all = senders
    .map((intent) => ({ intent, number: (numbers += 1) }))
    .map(({ intent, number }) => ({ intent, at: now + ((number * GOLDEN_RATIO) % 1) * MINUTE }))
    .toSorted((one, other) => one.at - other.at);
  const made = new Map<string, Paid>();
  for (const { intent, at } of all) {
    const signature = newSignature();
    if (intent) payments += 1;
    const hasMemo = intent !== null && payments % WITHOUT_MEMO_SHARE !== 0;
    rpc.land({
      signature,
      at: Math.floor(at),
      memo: hasMemo ? intent.id : null,
      accounts: [PAYER, PLATFORM, PAYOUT, ...(intent ? [intent.reference] : [])],
      transfers: intent
        ? [
            { destination: PAYOUT, lamports: 900_000_000 },
            { destination: PLATFORM, lamports: 100_000_000 },
          ]
        : [{ destination: PLATFORM, lamports: 1 }],
    });
    if (intent) made.set(signature, { at, hasMemo, intentId: intent.id });
  }
  return made;
}

const isAnythingUnread = async () => (await query('SELECT 1 FROM unread_transactions LIMIT 1')).length > 0;

it.each(LOADS)(
  'with %d opened dialogs a minute, a payment with a memo is found in two minutes, and one without a memo in a day',
  async (perMinute) => {
    const rpc = createSimulatedRpc({ clock, slotsBehind: SLOTS_BEHIND });
    const runJobs = startServices(rpc);
    rpc.land({
      signature: newSignature(),
      at: now - MINUTE,
      memo: null,
      accounts: [PAYER, PLATFORM],
      transfers: [],
    });
    await runJobs();
    const made = new Map<string, Paid>();
    let mostAboveBudget = -Infinity;
    let seen = 0;
    for (let minute = 1; minute <= MINUTES; minute += 1) {
      const dust = DUST_PER_MINUTE + (minute % BURST_EVERY === BURST_EVERY - 1 ? BURST : 0);
      const landed = landMinute(rpc, await openDialogs(perMinute), dust);
      for (const payment of landed) made.set(...payment);
      now += MINUTE;
      if (minute === FORK_AT) {
        const [newest] = await query<{ signature: string }>(
          "SELECT cursor ->> '$.positions[0].signature' AS signature FROM job_leases WHERE job = 'payments.walk'",
        );
        rpc.forget(newest?.signature ?? '');
        made.delete(newest?.signature ?? '');
      }
      rpc.takeRequests();
      await runJobs();
      const [{ count } = { count: 0 }] = await query<{ count: number }>(
        'SELECT COUNT(*) AS count FROM payments',
      );
      const budget = 25 + (count - seen) + rpc.landedBetween(now - 2 * MINUTE, now) / 1_000;
      seen = count;
      mostAboveBudget = Math.max(mostAboveBudget, rpc.takeRequests() - budget);
    }
    for (let minute = 0; minute < 24 * 60 && (minute < 3 || (await isAnythingUnread())); minute += 1) {
      now += MINUTE;
      await runJobs();
    }
    const rows = await query<{ signature: string; intent_id: string; created_at: number }>(
      'SELECT signature, intent_id, created_at FROM payments',
    );
    const found = new Map(rows.map((row) => [row.signature, row]));
    /** The minutes until payments were found, shortest first. */
    const waitsOf = (hasMemo: boolean) =>
      [...made]
        .filter(([, payment]) => payment.hasMemo === hasMemo)
        .map(([signature, { at }]) => ((found.get(signature)?.created_at ?? Infinity) - at) / MINUTE)
        .toSorted((a, b) => a - b);
    const [withMemo, without] = [waitsOf(true), waitsOf(false)];
    const summary = {
      perMinute,
      payments: made.size,
      withMemo: { p50: withMemo[Math.floor(withMemo.length / 2)] ?? 0, max: withMemo.at(-1) ?? 0 },
      without: { count: without.length, max: without.at(-1) ?? 0 },
      mostAboveBudget,
    };
    console.info(JSON.stringify(summary));
    const wrong = [...made].filter(
      ([signature, { intentId }]) => found.get(signature)?.intent_id !== intentId,
    );
    expect(wrong).toEqual([]);
    expect(summary.withMemo.p50).toBeLessThanOrEqual(1);
    expect(summary.withMemo.max).toBeLessThanOrEqual(2);
    expect(summary.without.count).toBeGreaterThan(0);
    expect(summary.without.max).toBeLessThanOrEqual(24 * 60);
    expect(mostAboveBudget).toBeLessThanOrEqual(0);
  },
);
