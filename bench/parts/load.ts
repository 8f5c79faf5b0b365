import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#schema/constants/time.ts';
import type { CallerListItem } from '#schema/contracts/callers.ts';
import type { TokenCall } from '#schema/contracts/calls.ts';
import type { OperatorsPage } from '#schema/contracts/operators.ts';
import { findDatabase } from '#dev/local/data-folder.ts';
import type { ChatMessage } from '#dev/stand-ins/telegram/telegram-state.ts';
import { createRandom } from '#test/seeded-random.ts';
import type { LocalEnvironment, Part } from '../context.ts';
import { createClient, readJson, type Client, type Figures } from '../load/client.ts';
import { createDisturbances, createVisits } from '../load/disturbances.ts';
import { startHammer } from '../load/hammer.ts';
import { createHiddenCalls } from '../load/hidden-calls.ts';
import { createInvariants, type Invariants } from '../load/invariants.ts';
import { listJourneys } from '../load/journeys.ts';
import { findRuntime, memoryGrowth } from '../load/memory.ts';
import type { Signed } from '../load/payments.ts';
import { addressOf, createPeople, type People } from '../load/people.ts';
import { createSchedule, pickJourney } from '../load/schedule.ts';
import { percentile, summarize, type Result } from '../results.ts';

const CHECK_MS = 30 * SECOND_MS;
/** Minimum duration for checking the memory's growth. In a shorter run, the memory still grows because caches fill. */
const MIN_TREND_MINUTES = 10;
const MAX_GROWTH = 0.1;
/** The hammer may slow other people's median request down by this factor. */
const MAX_SLOWDOWN = 3;
/** The number of seeded callers on whom the operator acts. */
const MODERATED = 4;
const FINALITY_MS = 15 * SECOND_MS;
/** The maximum number of cron runs at the end. Each searches for a limited number of payments. */
const MAX_LAST_RUNS = 20;
/** A delay longer than the product's timeout for this service. */
const SLOW_CONNECTION_MS = {
  x: 9_000,
  telegram: 26_000,
  jupiter: 6_000,
  dexscreener: 6_000,
  'solana-primary': 5_000,
  'solana-fallback': 5_000,
  push: 11_000,
  witness: 11_000,
};

/**
 * Sends mixed requests at a steady rate while third parties fail at random. Checks each response (no unexplained 5xx, no
 * hidden call), messages, the database's invariants, the ledger against the chain, and the runtime's memory.
 */
export const measureLoad: Part = async ({ openLocal, options }) => {
  const { minutes, rate, faults, seed, hammer, addresses } = options;
  const local = await openLocal();
  const { productUrl, environment } = local;
  const violations: string[] = [];
  const report = (violation: string) => {
    violations.push(violation);
    console.log(`VIOLATION ${violation}`);
  };
  const random = createRandom(seed);
  const schedule = createSchedule();
  const hidden = createHiddenCalls(report);
  const { standInsUrl, chain } = environment;
  const { nextSlot } = schedule;
  const file = findDatabase(join(local.dataDir, 'state'));
  const longestMs = (minutes * MINUTE_MS) / 8;
  const disturbances = createDisturbances({ file, longestMs, local });
  const { wasDisturbedSince } = disturbances;
  const client = createClient({
    productUrl,
    standInsUrl,
    nextSlot,
    report,
    inspect: hidden.inspect,
    wasDisturbedSince,
  });
  console.log('Signing people in...');
  const people = await createPeople({ client, environment }, options);
  insertLapsed(file, people);
  const transactions: Signed[] = [];
  const invariants = await createInvariants({ file, chain, transactions });
  const list = async <Row>(path: string) =>
    readJson<Row[]>(await client.send({ kind: 'set-up', path, viewer: { address: addressOf(0) } })) ?? [];
  const isSeeded = ({ id }: { id: string }) => !people.callers.some((caller) => caller.id === id);
  const listed = (await list<CallerListItem>('/api/callers?limit=100')).filter(isSeeded);
  const [seeded, moderated] = [listed.slice(0, -MODERATED), listed.slice(-MODERATED)];
  const ended = (await list<TokenCall>('/api/token-calls/ended?limit=100')).filter(({ callerId }) =>
    seeded.some(({ id }) => id === callerId),
  );
  const shared = { client, chain, random, hidden, report, transactions, environment, schedule, people };
  const visits = createVisits({ productUrl, random, people, schedule, report, wasDisturbedSince });
  const journeys = [...listJourneys({ ...shared, seeded, moderated, ended }), ...visits.journeys];
  await failAtRandom(standInsUrl, faults);

  console.log(`${minutes} minutes, ${rate} requests a second, ${faults}% faults, seed ${seed}`);
  let runtime = await findRuntime();
  const [resident, heap]: [number[], number[]] = [[], []];
  const check = async () => {
    if (wasDisturbedSince(Date.now())) return;
    for (const violation of await invariants.check()) report(violation);
    resident.push(runtime.readResident());
    const mib = await runtime.readHeap();
    if (mib !== null) heap.push(mib);
  };
  const checking = setInterval(() => void check(), Math.min(CHECK_MS, (minutes * MINUTE_MS) / 3));
  const disturb = async () => {
    // The first third of the time doesn't count for the memory's growth.
    await schedule.pause(longestMs);
    await disturbances.killRuntime();
    runtime = await findRuntime();
    while (await schedule.pause(2 * longestMs)) await disturbances.refuseWrites();
  };
  let attack: ReturnType<typeof attackNow> | undefined;
  const attackNow = () => ({
    counts: new Map([...client.figures].map(([kind, { ms }]) => [kind, ms.length])),
    hammer: startHammer({ productUrl, perSecond: hammer, addresses, report, wasDisturbedSince }),
  });
  const attacking = setTimeout(
    () => (attack = hammer > 0 ? attackNow() : undefined),
    (minutes * MINUTE_MS) / 2,
  );
  const running = schedule.run({ minutes, rate, start: () => pickJourney(journeys, random.share()).run() });
  await Promise.all([running, disturb()]);
  clearTimeout(attacking);
  clearInterval(checking);
  const attacked = attack ? compareWithQuiet(client.figures, attack.counts, await attack.hammer.stop()) : [];

  await fetch(`${standInsUrl}/_control/faults`, { method: 'DELETE' });
  await finalizePayments(local, invariants, options.isTiny ? SECOND_MS : FINALITY_MS);
  await check();
  for (const alarm of await listOutageAlarms(client, people)) report(`an alarm without an outage: ${alarm}`);
  for (const violation of invariants.checkChain()) report(violation);
  for (const job of invariants.listFailedJobs()) report(`a job failed without a fault: ${job}`);
  await inspectMessages(local, people, hidden.inspectMessage);
  const growth = memoryGrowth(heap);
  if (minutes >= MIN_TREND_MINUTES && growth > MAX_GROWTH) report('the heap of the product grows');
  return [
    ...listKinds(client.figures),
    { what: 'resident memory of workerd', value: summarize(resident), unit: 'MiB' },
    ...(heap.length === 0
      ? []
      : [{ what: 'the product’s heap after a collection', value: summarize(heap), unit: 'MiB' }]),
    { what: 'requests whose visitor left early', value: summarize([visits.counts.left]), unit: '' },
    { what: 'WebSockets', value: summarize([visits.counts.sockets]), unit: '' },
    { what: 'messages over WebSockets', value: summarize([visits.counts.messages]), unit: '' },
    { what: 'transactions in the ledger', value: summarize([invariants.countRecorded()]), unit: '' },
    ...attacked,
    {
      what: 'violations',
      value: summarize([violations.length]),
      unit: '',
      goal: '0',
      isMet: violations.length === 0,
    },
  ];
};

/** Compares other people's requests during the attack with those of the first half of the run. */
function compareWithQuiet(
  figures: ReadonlyMap<string, Figures>,
  counts: ReadonlyMap<string, number>,
  { sent, refused }: { sent: number; refused: number },
): Result[] {
  const quiet = [...figures].flatMap(([kind, { ms }]) => ms.slice(0, counts.get(kind) ?? 0));
  const attacked = [...figures].flatMap(([kind, { ms }]) => ms.slice(counts.get(kind) ?? 0));
  const factor = percentile(attacked, 0.5) / percentile(quiet, 0.5);
  return [
    { what: 'requests of the hammer', value: summarize([sent]), unit: '' },
    { what: 'refused requests of the hammer', value: summarize([refused]), unit: '' },
    { what: 'other people’s requests before it', value: summarize(quiet), unit: 'ms' },
    { what: 'other people’s requests during it', value: summarize(attacked), unit: 'ms' },
    {
      what: 'median during / before',
      value: summarize([factor]),
      unit: '×',
      goal: `≤ ${MAX_SLOWDOWN}`,
      isMet: factor <= MAX_SLOWDOWN,
    },
  ];
}

/** The latencies of each kind of request, the most frequent first. */
function listKinds(figures: ReadonlyMap<string, Figures>): Result[] {
  return [...figures]
    .toSorted(([, one], [, other]) => other.ms.length - one.ms.length)
    .map(([kind, { ms, refused, explained }]) => ({
      what: `${kind}: ${ms.length} requests, ${refused} documented 4xx, ${explained} explained 5xx`,
      value: summarize(ms),
      unit: 'ms',
    }));
}

/** Runs the cron until the platform walk has read all transactions. */
async function finalizePayments(
  { productUrl }: LocalEnvironment,
  invariants: Invariants,
  finalityMs: number,
): Promise<void> {
  const runCron = () => fetch(`${productUrl}/cdn-cgi/handler/scheduled`);
  for (let run = 0; run < 2; run += 1) {
    await pause(finalityMs);
    await runCron();
  }
  for (let run = 0; run < MAX_LAST_RUNS && invariants.countUnread() > 0; run += 1) await runCron();
}

/** Makes each service fail in five ways, equally often. */
async function failAtRandom(standInsUrl: string, percent: number): Promise<void> {
  const share = percent / 100 / 5;
  for (const [service, delayMs] of Object.entries(SLOW_CONNECTION_MS)) {
    const kinds = [{ status: 500 }, { status: 429 }, { delayMs }, { cutResponse: true }, { drop: true }];
    for (const fault of kinds) {
      const response = await fetch(`${standInsUrl}/_control/faults`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ service, share, ...fault }),
      });
      if (!response.ok) throw new Error(await response.text());
    }
  }
}

/** No fault lasts long enough for an outage. */
async function listOutageAlarms(client: Client, { operator }: People): Promise<string[]> {
  const page = readJson<OperatorsPage>(
    await client.send({ kind: 'operator', path: '/api/operators/now', viewer: operator }),
  );
  const alarms = page?.sections.find(({ title }) => title === 'Last alarms')?.rows ?? [];
  return alarms.map(({ title }) => title).filter((title) => title.startsWith('Users can’t'));
}

/** Inserts subscriptions that have just ended, as if the callers had been Free a month ago. */
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

/** Looks for hidden calls in all messages of the local Telegram. */
async function inspectMessages(
  { environment: { standInsUrl } }: LocalEnvironment,
  { callers, followers, lapsed }: People,
  inspect: (text: string, viewerId: string | null) => void,
): Promise<void> {
  const chats = new Map([...callers, ...followers, ...lapsed].map(({ chatId, id }) => [chatId, id]));
  const messages = (await (await fetch(`${standInsUrl}/_control/messages`)).json()) as ChatMessage[];
  for (const { chatId, text } of messages) inspect(text, chats.get(chatId) ?? null);
}
