import { PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { land } from '#worker/test-support/payments/payments.ts';
import { rpc } from '#worker/test-support/payments/chain.ts';
import { resetStorage } from '#worker/test-support/database/storage.ts';
import { acceptTerms, testEnv, type Person, type TestApp } from '#worker/test-support/test-app.ts';
import { createChainFaults, type ChainFaults } from '../support/chain-faults.ts';
import { createWatchedApp } from '../support/payments-app.ts';
import { CALLERS, PAYERS, PAYOUTS, PEOPLE, PLATFORM, POOR_PAYER, TREASURY, type Name } from './fixtures.ts';
import type { Intent, SentRefund, Signed } from './transactions.ts';

const SOL = 1_000_000_000;
const SLOT_MS = 400;
const GENESIS_AGE_MS = 90 * 24 * 60 * 60 * 1000;
/** The jump of the block height when blockhashes are expired. */
const EXPIRY_HEIGHTS = 151;
/** The cron's kinds of jobs that payments and periods depend on. All jobs take three times as long. */
export const JOBS = ['payments', 'chain', 'renewals', 'subscriptions'] as const;
const FIRST_FEES: Readonly<Record<string, number>> = { cleo: 0.5 * SOL, dora: 0 };

/** The app and chain of a history, and the model's record of events. */
export interface History {
  readonly app: TestApp;
  readonly people: Readonly<Record<Name, Person>>;
  readonly faults: ChainFaults;
  readonly intents: Intent[];
  readonly transactions: Signed[];
  readonly refunds: SentRefund[];
  /** The steps so far, for the report of a violation. */
  readonly trace: string[];
  /** Jobs that failed since the last call. */
  takeFailedJobs(): string[];
  now(): number;
  slotAt(unixMs: number): number;
  heightAt(unixMs: number): number;
  expireBlockhashes(): Promise<void>;
  end(): void;
}

const cookieOf = (name: Name) => `__Host-session=${name}`;

let sessionHashes: Promise<Map<Name, string>> | undefined;
const hashSessions = async () => {
  const hash = async (name: Name) =>
    [...new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(name)))]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('');
  return new Map(await Promise.all(PEOPLE.map(async (name) => [name, await hash(name)] as const)));
};

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
  await insertPeople(app.clock.now());
  for (const name of PEOPLE) await acceptTerms(name, app.clock.now());
  // The first daily check only stores the platform wallet's newest signature.
  await app.runJobs(...JOBS);

  const expiries: number[] = [];
  const slotAt = (unixMs: number) => Math.floor((unixMs - genesisAt) / SLOT_MS);
  return {
    app,
    people: Object.fromEntries(
      PEOPLE.map((name) => [name, app.browser({ id: name, handle: name, cookie: cookieOf(name) })]),
    ) as Record<Name, Person>,
    faults: createChainFaults(),
    intents: [],
    transactions: [],
    refunds: [],
    trace,
    takeFailedJobs: () => failedJobs.splice(0),
    now: () => app.clock.now(),
    slotAt,
    heightAt: (unixMs) => slotAt(unixMs) + expiries.filter((at) => at <= unixMs).length * EXPIRY_HEIGHTS,
    async expireBlockhashes() {
      await fetch(`${testEnv.TEST_CONTROL_URL}/solana/expire-blockhash`, { method: 'POST' });
      expiries.push(app.clock.now());
    },
    end: unlisten,
  };
}

async function fundEverybody(): Promise<void> {
  const funded = [
    ...PAYERS.map((wallet, index) => ({ wallet, lamports: index === POOR_PAYER ? SOL / 20 : 10_000 * SOL })),
    ...[...Object.values(PAYOUTS).flat(), PLATFORM].map((wallet) => ({ wallet, lamports: SOL })),
  ];
  await rpc('requestAirdrop', TREASURY.publicKey.toBase58(), 1_000_000 * SOL);
  const { value } = await rpc<{ value: { blockhash: string } }>('getLatestBlockhash');
  const instructions = funded.map(({ wallet, lamports }) =>
    SystemProgram.transfer({
      fromPubkey: TREASURY.publicKey,
      toPubkey: new PublicKey(wallet.publicKey),
      lamports,
    }),
  );
  const transaction = new VersionedTransaction(
    new TransactionMessage({
      payerKey: TREASURY.publicKey,
      recentBlockhash: value.blockhash,
      instructions,
    }).compileToV0Message(),
  );
  transaction.sign([TREASURY]);
  await land(transaction.serialize());
}

/**
 * Inserts signed-in callers with verified wallets. Uses SQL, because creating them through the API is slow.
 */
async function insertPeople(now: number): Promise<void> {
  const hashes = await (sessionHashes ??= hashSessions());
  const never = now * 10;
  const statement = (sql: string, ...values: unknown[]) => testEnv.DB.prepare(sql).bind(...values);
  await testEnv.DB.batch([
    ...PEOPLE.flatMap((name) => [
      statement(
        `INSERT INTO users (id, x_user_id, twitter_handle, first_name, last_name, is_verified, created_at, updated_at)
         VALUES (?1, ?1, ?1, ?1, 'Sample', 0, ?2, ?2)`,
        name,
        now,
      ),
      statement(
        // A session that was just used isn't extended, so this session never changes.
        `INSERT INTO sessions (token_hash, user_id, created_at, expires_at, last_used_at, device_hash)
         VALUES (?, ?, ?3, ?3, ?3, '')`,
        hashes.get(name),
        name,
        never,
      ),
    ]),
    ...CALLERS.flatMap((name) => [
      statement(
        `INSERT INTO callers (caller_id, fee_lamports, payout_address, search_text, created_at, updated_at)
         VALUES (?1, ?2, ?3, ?1, ?4, ?4)`,
        name,
        FIRST_FEES[name],
        PAYOUTS[name][0].publicKey.toBase58(),
        now,
      ),
      ...PAYOUTS[name].map(({ publicKey }) =>
        statement(
          'INSERT INTO wallets (id, user_id, address, proven_at, created_at) VALUES (?1, ?2, ?1, ?3, ?3)',
          publicKey.toBase58(),
          name,
          now,
        ),
      ),
    ]),
  ]);
}

/**
 * Silences the app's log and collects the failed jobs that it reports.
 * @returns a function that restores the console
 */
function listen({ failedJobs, trace }: { failedJobs: string[]; trace: string[] }): () => void {
  const { log, warn, error } = console;
  const quiet = () => {};
  console.log = quiet;
  console.warn = quiet;
  console.error = (...line: unknown[]) => {
    const text = line.join(' ');
    if (text.includes('"event":"job.failed"')) failedJobs.push(text);
    trace.push(`     ${text.slice(0, 400)}`);
  };
  return () => Object.assign(console, { log, warn, error });
}
