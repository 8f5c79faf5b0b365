import type { Keypair } from '@solana/web3.js';
import { createSlotClock, SLOT_MS } from '#dev/stand-ins/chain/slot-clock.ts';
import { createSignedTokens, hashToken } from '#worker/shared/secrets.ts';
import { query } from '#test/database/database.ts';
import { DAY_MS } from '#schema/constants/time.ts';
import { insertRows } from '#test/database/insert-rows.ts';
import { rpc } from '#test/payments/chain.ts';
import { resetStorage } from '#test/database/storage.ts';
import { acceptTerms, control, testEnv, type Person, type TestApp } from '#test/test-app.ts';
import { createChainFaults, type ChainFaults } from '../support/chain-faults.ts';
import type { Watch } from '../support/awaits.ts';
import { createNodes, type Nodes } from '../support/nodes.ts';
import { createWatchedApp } from '../support/payments-app.ts';
import {
  CALLERS,
  PAYERS,
  PAYOUTS,
  PEOPLE,
  PLATFORM,
  POOR_PAYER,
  TREASURY,
  type CallerName,
  type Name,
} from './fixtures.ts';
import type { Intent, Offer, SentRefund, Signed } from './transactions.ts';
import { act } from '#test/payments/hostile-transactions.ts';
import { transfer } from '#test/payments/transactions.ts';

const SOL = 1_000_000_000;
const GENESIS_AGE_MS = 90 * 24 * 60 * 60 * 1000;
/** The jump of the block height when blockhashes are expired. */
const EXPIRY_HEIGHTS = 151;
/** The cron's kinds of jobs that payments and periods depend on. Running all jobs would take three times as long. */
export const JOBS = ['payments', 'chain', 'renewals', 'subscriptions'] as const;
const FIRST_FEES = { cleo: 0.5 * SOL, dora: 0 };

/** The app and chain of a history, and the model's record of events. */
export interface History {
  readonly app: TestApp;
  readonly people: Readonly<Record<Name, Person>>;
  readonly faults: ChainFaults;
  readonly nodes: Nodes;
  /** Sends the product's chain requests through the faults and the nodes. */
  readonly watch: Watch;
  readonly intents: Intent[];
  readonly transactions: Signed[];
  readonly refunds: SentRefund[];
  /** The payments whose refund a caller has opened while it was asked for. */
  readonly opened: Set<string>;
  /** The callers whose wallets were erased, as by a deletion. */
  readonly erased: Set<CallerName>;
  readonly offers: Offer[];
  /** Until then, endpoints may be down after a fault, and killed runs may hold their leases. */
  disturbedUntil: number;
  /** The steps so far, for the report of a violation. */
  readonly trace: string[];
  /** Jobs that failed since the last call. */
  takeFailedJobs(): string[];
  now(): number;
  slotAt(unixMs: number): number;
  heightAt(unixMs: number): number;
  expireBlockhashes(): Promise<void>;
  setSlotMs(slotMs: number): Promise<void>;
  end(): void;
}

/**
 * Begins a history on an empty chain and database. Everybody is signed in, is funded and has proven their
 * wallets.
 */
export async function beginHistory(): Promise<History> {
  await resetStorage();
  const genesisAt = Number(await (await fetch(`${testEnv.TEST_CLOCK_URL}/?reset`)).text()) - GENESIS_AGE_MS;
  await fundEverybody();
  const failedJobs: string[] = [];
  const trace: string[] = [];
  const unlisten = listen({ failedJobs, trace });
  const app = await createWatchedApp({ PLATFORM_WALLET: PLATFORM.publicKey.toBase58() });
  await app.advance(60_000);
  const tokens = await insertPeople(app.clock.now());
  // The first daily check only stores the platform wallet's newest signature.
  await app.runJobs(...JOBS);

  const expiries: number[] = [];
  const now = () => app.clock.now();
  const { slotAt, setSlotMs } = createSlotClock({
    genesisAt,
    slotMs: SLOT_MS,
    now,
    notBefore: () => genesisAt,
  });
  const faults = createChainFaults();
  const nodes = createNodes();
  return {
    app,
    people: Object.fromEntries(
      PEOPLE.map((name) => [
        name,
        app.browser({ id: name, handle: name, cookie: `__Host-session=${tokens.get(name)}` }),
      ]),
    ) as Record<Name, Person>,
    faults,
    nodes,
    watch: {
      requestChain: (request) => faults.sendRequest(request.method, () => nodes.sendRequest(request)),
    },
    intents: [],
    transactions: [],
    refunds: [],
    opened: new Set(),
    erased: new Set(),
    offers: [],
    disturbedUntil: 0,
    trace,
    takeFailedJobs: () => failedJobs.splice(0),
    now,
    slotAt,
    heightAt: (unixMs) => slotAt(unixMs) + expiries.filter((at) => at <= unixMs).length * EXPIRY_HEIGHTS,
    async expireBlockhashes() {
      await fetch(`${testEnv.TEST_CONTROL_URL}/solana/expire-blockhash`, { method: 'POST' });
      expiries.push(now());
    },
    async setSlotMs(slotMs) {
      await control('POST', '/solana/slot-ms', { slotMs });
      setSlotMs(slotMs, now());
    },
    end: unlisten,
  };
}

async function fundEverybody(): Promise<void> {
  await rpc('requestAirdrop', TREASURY.publicKey.toBase58(), 1_000_000 * SOL);
  const fund = (lamports: number, ...wallets: Keypair[]) =>
    wallets.map(({ publicKey }) => transfer({ from: TREASURY.publicKey, to: publicKey, lamports }));
  await act(
    [TREASURY],
    ...fund(10_000 * SOL, ...PAYERS.slice(0, POOR_PAYER)),
    ...fund(SOL / 20, PAYERS[POOR_PAYER]),
    ...fund(SOL, ...Object.values(PAYOUTS).flat(), PLATFORM),
  );
}

/**
 * Ended calls in each of the last three spans of 30 days, so that 90 days can be bought. Each caller also has an open call,
 * so that a deletion that needn't wait for subscribers is refused.
 */
const ENDED_DAYS_AGO = [1, 31, 61];

/** Inserts signed-in callers with verified wallets. Uses SQL, because creating them through the API is slow. */
/** @returns each person's session token */
async function insertPeople(now: number): Promise<ReadonlyMap<Name, string>> {
  const times = { created_at: now, updated_at: now };
  await insertRows(
    'users',
    PEOPLE.map((id) => ({ id, ...times })),
  );
  await insertRows(
    'callers',
    CALLERS.map((caller_id) => {
      const payout_address = PAYOUTS[caller_id][0].publicKey.toBase58();
      return { caller_id, fee_lamports: FIRST_FEES[caller_id], payout_address, ...times };
    }),
  );
  await insertRows(
    'calls',
    CALLERS.flatMap((caller_id) =>
      ENDED_DAYS_AGO.map((days) => ({
        id: `${caller_id}-${days}`,
        caller_id,
        ended_at: now - days * DAY_MS,
        end_price: '1',
        change_percent: 0,
      })),
    ),
  );
  await insertRows(
    'calls',
    CALLERS.map((caller_id) => ({ id: `${caller_id}-open`, caller_id, called_at: now })),
  );
  const never = now * 10;
  const { create } = createSignedTokens(testEnv.X_IDS_KEY);
  const tokens = new Map<Name, string>();
  for (const name of PEOPLE) {
    await acceptTerms(name, now);
    const token = await create();
    tokens.set(name, token);
    // A session that was just used isn't extended, so this session never changes.
    await query(
      `INSERT INTO sessions (token_hash, user_id, created_at, expires_at, last_used_at, device_hash)
       VALUES (?1, ?2, ?3, ?3, ?3, '')`,
      hashToken(token),
      name,
      never,
    );
  }
  for (const name of CALLERS) {
    for (const { publicKey } of PAYOUTS[name]) {
      await query(
        'INSERT INTO wallets (id, user_id, address, proven_at, created_at) VALUES (?1, ?2, ?1, ?3, ?3)',
        publicKey.toBase58(),
        name,
        now,
      );
    }
  }
  return tokens;
}

/** Silences the app's log and collects the failed jobs that it reports. Returns a function that restores the console. */
function listen({ failedJobs, trace }: { failedJobs: string[]; trace: string[] }): () => void {
  const { log, warn, error } = console;
  console.log = console.warn = () => {};
  console.error = (...line: unknown[]) => {
    const text = line.join(' ');
    if (text.includes('"event":"job.failed"')) failedJobs.push(text);
    trace.push(`     ${text.slice(0, 400)}`);
  };
  return () => Object.assign(console, { log, warn, error });
}
