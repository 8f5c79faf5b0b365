// Sends mixed requests to a local product at a steady rate, while its third parties fail at random. Checks every
// response, the database's invariants, the ledger against the chain, and the memory of workerd. Writes bench/SOAK.md.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants.ts';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { ChatMessage } from '#dev/telegram/chat-state.ts';
import type { Struck } from '#dev/controls/faults.ts';
import { startLocalProduct } from '#dev/local-product.ts';
import { createRandom } from '#worker/test-support/seeded-random.ts';
import { createClient, readJson } from './soak/client.ts';
import { createHiddenCalls } from './soak/hidden-calls.ts';
import { createInvariants } from './soak/invariants.ts';
import { listJourneys } from './soak/journeys.ts';
import { findRuntime, findTrend, type Sample } from './soak/memory.ts';
import type { Signed } from './soak/payments.ts';
import { addressOf, gatherPeople, type People } from './soak/people.ts';
import { describeMemory, listRows, writeReport, type SoakResult } from './soak/report.ts';
import { createSchedule, pickJourney } from './soak/schedule.ts';
import { findDatabase } from './world.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '50' },
    faults: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
  },
});
const [minutes, rate, faults, seed] = [values.minutes, values.rate, values.faults, values.seed].map(
  Number,
) as [number, number, number, number];
const PORTS = { port: 19_687, solanaPort: 19_688, standInsPort: 19_690 };
const PRODUCT_URL = `http://localhost:${PORTS.port}`;
const SAMPLE_MS = 5 * SECOND_MS;
const CHECK_MS = 30 * SECOND_MS;
/** In a shorter run, the memory still grows because caches fill. */
const MIN_TREND_MINUTES = 10;
/** How many of the seeded callers the operator acts on. */
const MODERATED = 4;
const FINALITY_MS = 15 * SECOND_MS;
/** A run of the cron searches for a limited number of payments. At the end, it runs until none is due, but at most this often. */
const MAX_LAST_RUNS = 20;
/** A request that takes longer than the product waits for this service. */
const SLOW_MS = {
  x: 9_000,
  telegram: 26_000,
  jupiter: 6_000,
  dexscreener: 6_000,
  'solana-primary': 5_000,
  'solana-fallback': 5_000,
};

const violations: string[] = [];
function report(violation: string): void {
  const after = ((Date.now() - startedAt) / SECOND_MS).toFixed(0);
  const waiting = (100 * waitingShare).toFixed(0);
  violations.push(`after ${after} s, with ${waiting}% waiting for a CPU: ${violation}`);
  console.log(`VIOLATION ${violations.at(-1)}`);
}
let startedAt = Date.now();
/** The part of the last seconds' work in which workerd waited for a CPU that other programs used. */
let waitingShare = 0;

const dataDir = mkdtempSync(join(tmpdir(), 'solcallers-soak-'));
const product = await startLocalProduct(
  { ...PORTS, dataDir, productUrl: PRODUCT_URL },
  { isWatching: false, log: (line) => console.log(line) },
);
const close = async () => {
  await product.close();
  rmSync(dataDir, { recursive: true, force: true });
};
process.once('SIGINT', () => void close().then(() => process.exit(1)));
try {
  const result = await soak();
  console.table(listRows(result.figures));
  for (const series of result.memory) console.log(describeMemory(series));
  console.log(`Violations: ${violations.length}`);
  writeReport(result);
  if (violations.length > 0) process.exitCode = 1;
} finally {
  await close();
}

async function soak(): Promise<SoakResult> {
  const { world } = product;
  const random = createRandom(seed);
  const schedule = createSchedule();
  const operatorId: { value?: string } = {};
  const hidden = createHiddenCalls(report, () => operatorId.value);
  const { standInsUrl, chain } = world;
  const client = createClient({
    productUrl: PRODUCT_URL,
    standInsUrl,
    nextTurn: schedule.nextTurn,
    report,
    inspect: hidden.inspect,
  });
  console.log('Signing people in...');
  const people = await gatherPeople({ client, world });
  operatorId.value = people.operator.id;
  const file = findDatabase(join(dataDir, 'state'));
  insertLapsed(file, people);
  const transactions: Signed[] = [];
  const invariants = await createInvariants({ file, chain, transactions });
  const viewer = { address: addressOf(0) };
  const list = async <Row>(path: string) =>
    readJson<Row[]>(await client.send({ kind: 'set-up', path, viewer })) ?? [];
  const isSeeded = ({ id }: { id: string }) => !people.callers.some((caller) => caller.id === id);
  const listed = (await list<CallerListItem>('/api/callers?limit=100')).filter(isSeeded);
  const [seeded, moderated] = [listed.slice(0, -MODERATED), listed.slice(-MODERATED)];
  const ended = (await list<TokenCall>('/api/token-calls/ended?limit=100')).filter(({ callerId }) =>
    seeded.some(({ id }) => id === callerId),
  );
  const journeys = listJourneys({
    client,
    chain,
    random,
    hidden,
    report,
    transactions,
    world,
    schedule,
    people,
    seeded,
    moderated,
    ended,
  });
  await failAtRandom(standInsUrl);

  console.log(`${minutes} minutes with ${rate} requests a second, ${faults}% faults, seed ${seed}`);
  startedAt = Date.now();
  const samples: Sample[] = [];
  const heaps: Sample[] = [];
  const runtime = await findRuntime();
  const cpuAtFirst = runtime.readCpu();
  let cpu = cpuAtFirst;
  const sample = () => {
    samples.push({ at: Date.now(), mib: runtime.readResident() });
    const now = runtime.readCpu();
    waitingShare = waitedShare(cpu, now);
    cpu = now;
  };
  const sampling = setInterval(sample, SAMPLE_MS);
  const collect = async () => {
    const mib = await runtime.readHeap();
    if (mib !== null) heaps.push({ at: Date.now(), mib });
  };
  const collecting = setInterval(() => void collect(), MINUTE_MS);
  let checks = 0;
  const check = async () => {
    checks += 1;
    for (const violation of await invariants.check()) report(violation);
  };
  const checking = setInterval(() => void check(), CHECK_MS);
  await schedule.run({ minutes, rate, start: () => pickJourney(journeys, random.share()).run() });
  clearInterval(sampling);
  clearInterval(collecting);
  clearInterval(checking);

  const struck = (await (await fetch(`${standInsUrl}/_control/faults/struck`)).json()) as Struck[];
  await fetch(`${standInsUrl}/_control/faults`, { method: 'DELETE' });
  const runCron = () => fetch(`${PRODUCT_URL}/cdn-cgi/handler/scheduled`);
  for (let run = 0; run < 2; run += 1) {
    await pause(FINALITY_MS);
    await runCron();
  }
  const due = new Set<string>();
  for (let run = 0; run < MAX_LAST_RUNS; run += 1) {
    const next = invariants.listDue();
    if (next.size === 0) break;
    for (const reference of next) due.add(reference);
    await runCron();
  }
  await check();
  for (const violation of invariants.checkChain(due)) report(violation);
  for (const job of invariants.listFailedJobs()) report(`a job failed without a fault: ${job}`);
  const messages = await inspectMessages(people, hidden.inspectMessage);
  const memory = [
    { name: 'resident memory of workerd, every 5 s', samples, trend: findTrend(samples) },
    { name: "the product's heap after a collection, every minute", samples: heaps, trend: findTrend(heaps) },
  ];
  for (const { name, trend } of memory) {
    if (minutes >= MIN_TREND_MINUTES && !trend.isWithinNoise) report(`growing: ${name}`);
  }
  const landed = transactions.filter(
    ({ signature }) => chain.transaction(signature)?.execution.error === null,
  );
  const recorded = invariants.countRecorded();
  return {
    minutes,
    rate,
    faults,
    seed,
    figures: client.figures,
    explainedCodes: client.explainedCodes,
    mostInFlight: client.mostInFlight(),
    waitingShare: waitedShare(cpuAtFirst, cpu),
    checks,
    messages,
    memory,
    violations,
    struck: countServices(struck),
    payments: { signed: transactions.length, landed: landed.length, recorded },
  };
}

/** Each service fails in five ways, equally often. */
async function failAtRandom(standInsUrl: string): Promise<void> {
  const share = faults / 100 / 5;
  for (const [service, delayMs] of Object.entries(SLOW_MS)) {
    for (const fault of [
      { status: 500 },
      { status: 429 },
      { delayMs },
      { cutAnswer: true },
      { drop: true },
    ]) {
      const response = await fetch(`${standInsUrl}/_control/faults`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ service, share, ...fault }),
      });
      if (!response.ok) throw new Error(await response.text());
    }
  }
}

/** Inserts grants that have just ended, as if the callers had been Free a month ago. */
function insertLapsed(file: string, { callers, lapsed }: People): void {
  const database = new DatabaseSync(file, { timeout: 10 * SECOND_MS });
  const now = Date.now();
  database.exec('BEGIN IMMEDIATE');
  for (const { id: callerId } of callers.filter(({ isFree }) => !isFree)) {
    for (const { id } of lapsed) {
      database
        .prepare(
          `INSERT INTO subscriptions (id, subscriber_id, caller_id, starts_at, ends_at, status, created_at)
           VALUES (?, ?, ?, ?, ?, 'active', ?)`,
        )
        .run(randomUUID(), id, callerId, now - 30 * DAY_MS, now, now - 30 * DAY_MS);
    }
    database
      .prepare('UPDATE callers SET subscriber_count = subscriber_count + ? WHERE caller_id = ?')
      .run(lapsed.length, callerId);
  }
  database.exec('COMMIT');
  database.close();
}

/** Looks for hidden calls in all messages of the local Telegram. Returns how many there are. */
async function inspectMessages(
  { callers, followers, lapsed }: People,
  inspect: (text: string, userId: string | undefined) => void,
): Promise<number> {
  const { standInsUrl } = product.world;
  const chats = new Map([...callers, ...followers, ...lapsed].map(({ chatId, id }) => [chatId, id]));
  const messages = (await (await fetch(`${standInsUrl}/_control/messages`)).json()) as ChatMessage[];
  for (const { chatId, text } of messages) inspect(text, chats.get(chatId));
  return messages.length;
}

interface Cpu {
  readonly ran: number;
  readonly waited: number;
}

function waitedShare(from: Cpu, to: Cpu): number {
  const waited = to.waited - from.waited;
  return waited / (waited + to.ran - from.ran);
}

function countServices(struck: readonly Struck[]): Record<string, number> {
  return Object.fromEntries(
    [...Map.groupBy(struck, ({ service }) => service)].map(([service, hits]) => [service, hits.length]),
  );
}
