import type { Reason } from '../report.ts';
import {
  buildLog,
  createSigner,
  hashLeaf,
  merkleRoot,
  sha256,
  toCanonical,
  type BuiltLog,
  type Json,
  type Signer,
} from './build-log.ts';
import { createRandom, planLog, type Plan, type PlannedEvent, type Random } from './plan.ts';
import {
  anchorOf,
  callerPath,
  createStore,
  inDefaultOrder,
  profileOf,
  recordOf,
  serve,
  type Site,
} from './site.ts';
import type { Store } from '../source.ts';

export const ORIGIN = 'calls.example';
export const signerOf = (seed: number, name = ORIGIN): Signer => createSigner(name, sha256(`signer ${seed}`));

/** A test case: the site to verify, and the stored state of the device that verifies it. */
export interface Case {
  readonly site: Site;
  readonly store: Store;
  readonly caller: string;
  readonly handle: string;
  readonly now: number;
  readonly pinnedKey?: string;
}

export interface TamperedCase extends Case {
  readonly reason: Reason;
  /** Part of the message for this reason. */
  readonly names: string;
}

interface Start {
  readonly seed: number;
  readonly plan: Plan;
  readonly log: BuiltLog;
  readonly random: Random;
  /** The caller with the most entries. */
  readonly caller: string;
}

const DAY_MS = 86_400_000;

export function caseOf(
  log: BuiltLog,
  { caller, plan, site = serve(log) }: { caller: string; plan: Plan; site?: Site },
): Case {
  const { handle } = log.callers.get(caller) as { handle: string };
  return { site, store: createStore(), caller, handle, now: plan.now };
}

/** Returns a store with a checkpoint that this device has seen before. */
export function storeWith(log: BuiltLog, size: number, at: number): Store {
  const root = merkleRoot(log.hashes.slice(0, size)).toString('base64');
  return createStore(JSON.stringify({ key: log.signer.line, size, root, at }));
}

export function startOf(seed: number, calls?: number): Start {
  const plan = planLog(seed, calls);
  const log = buildLog(plan, signerOf(seed));
  const [[caller]] = [...log.callers].sort(([, one], [, other]) => other.number - one.number) as [
    [string, unknown],
  ];
  return { seed, plan, log, random: createRandom(seed + 1), caller };
}

interface RecordResponse {
  checkpoint: string;
  map: Json;
  entries: { index: number; entry: Json }[];
  minutes: { index: number; entry: Json }[];
  texts: { number: number; salt: string; text: string }[];
  anchor: Json;
  proof: string[];
}

type Tamper = (start: Start) => TamperedCase | null;

const named = (number: unknown) => `ntry ${String(number)} `;

/** Rebuilds the record from only some of the caller's entries. */
function includeOnly(
  { log, caller }: Start,
  record: RecordResponse,
  isIncluded: (entry: Json) => boolean,
): void {
  Object.assign(record, recordOf(log, caller, log.sizes.at(-1) as number, isIncluded));
}

/** Tampers with the site's response that has the record. */
function onSite(
  start: Start,
  reason: Reason,
  change: (record: RecordResponse) => string | null,
): TamperedCase | null {
  const site = serve(start.log);
  const record = recordOf(start.log, start.caller, site.size) as unknown as RecordResponse;
  const names = change(record);
  if (names === null) return null;
  site.change(callerPath(start.caller), () => record);
  return { ...caseOf(start.log, { ...start, site }), reason, names };
}

const pick = <Item>(random: Random, items: readonly Item[]): Item | undefined =>
  items.length === 0 ? undefined : items[random(0, items.length - 1)];

const eventsOf = ({ plan, caller }: Start, kind: PlannedEvent['kind']) =>
  plan.minutes
    .flatMap(({ events }) => events)
    .filter((event) => event.caller === caller && event.kind === kind);

/** Builds and signs another log from the same plan, with lies. */
const lyingLog = ({ plan, seed }: Start, lies: Parameters<typeof buildLog>[2]) =>
  buildLog(plan, signerOf(seed), lies);

const endOf = (start: Start): PlannedEvent | undefined => pick(start.random, eventsOf(start, 'ended'));

const isRankedCall = (start: Start, call: string | undefined) =>
  eventsOf(start, 'opened').some((event) => event.call === call && event.unranked === undefined);

function objectOf(event: PlannedEvent | undefined, entry: Json): boolean {
  const content = entry['content'] as Json | undefined;
  return event !== undefined && entry['kind'] === 'ended' && content?.['call'] === event.call;
}

const editEnd = (event: PlannedEvent) => (entry: Json) =>
  objectOf(event, entry) ? { ...entry, content: { ...(entry['content'] as Json), endPrice: '7.5' } } : entry;

const numberOf = (log: BuiltLog, event: PlannedEvent) =>
  log.entries.find((entry) => objectOf(event, entry))?.['number'];

/** Tampers with the caller's profile on the site. */
function onProfile(
  start: Start,
  reason: Reason,
  names: string,
  change: (profile: Json) => unknown,
): TamperedCase {
  const site = serve(start.log);
  site.change(`/api/callers/${start.log.callers.get(start.caller)?.handle}`, change);
  return { ...caseOf(start.log, { ...start, site }), reason, names };
}

export const tampers: Readonly<Record<string, Tamper>> = {
  'a loss is logged as an uncounted gain': (start) => {
    const event = endOf(start);
    if (!event) return null;
    const lose = (entry: Json) =>
      objectOf(event, entry)
        ? { ...entry, content: { ...(entry['content'] as Json), endPrice: '0', uncounted: 'short_hold' } }
        : entry;
    const log = lyingLog(start, { entry: lose });
    return { ...caseOf(log, start), reason: 'rule_broken', names: named(numberOf(log, event)) };
  },
  'wrong figures are excused with a last call in the future': (start) =>
    onProfile(start, 'statistic_differs', 'Win Rate is', (profile) => ({
      ...profile,
      winRate: 99.5,
      lastCallTimestamp: '2099-01-01T00:00:00.000Z',
    })),
  'the last call is in the future': (start) =>
    onProfile(start, 'statistic_differs', 'Last Call', (profile) => ({
      ...profile,
      lastCallTimestamp: '2099-01-01T00:00:00.000Z',
    })),
  'a figure is left out': (start) =>
    onProfile(start, 'statistic_differs', 'Avg Return is missing', (profile) => ({
      ...profile,
      avgReturn: undefined,
    })),
  'the median is left out': (start) => {
    const site = serve(start.log);
    site.change(`/api/callers/${start.caller}/statistics`, () => ({ windows: { all: {} } }));
    const names = 'Median Return is missing';
    return { ...caseOf(start.log, { ...start, site }), reason: 'statistic_differs', names };
  },
  'another name is shown': (start) =>
    onProfile(start, 'name_differs', 'the site shows Somebody Else', (profile) => ({
      ...profile,
      firstName: 'Somebody',
      lastName: 'Else',
    })),
  'an old log is served, but a newer one was anchored': (start) => {
    const { sizes, hashes } = start.log;
    if (sizes.length < 3) return null;
    const site = serve(start.log, sizes.at(-2));
    const root = merkleRoot(hashes).toString('base64');
    site.addMemo('newest', `${ORIGIN} ${hashes.length} ${root}`);
    const names = `${hashes.length} entries were anchored`;
    return { ...caseOf(start.log, { ...start, site }), reason: 'stale_checkpoint', names };
  },
  'the newest map is from the future': (start) => ({
    ...caseOf(start.log, start),
    now: start.plan.now - 2 * DAY_MS,
    reason: 'wrong_time',
    names: "this device's clock",
  }),
  'an entry is edited': (start) =>
    onSite(start, 'not_in_log', (record) => {
      const edited = pick(
        start.random,
        record.entries.filter(({ entry }) => entry['kind'] === 'ended'),
      );
      if (!edited) return null;
      edited.entry = { ...edited.entry, content: { ...(edited.entry['content'] as Json), endPrice: '9.5' } };
      return named(edited.entry['number']);
    }),
  'an entry is dropped': (start) => {
    const last = start.log.callers.get(start.caller)?.number ?? 0;
    if (last < 3) return null;
    const dropped = start.random(1, last - 1);
    return onSite(start, 'number_skipped', (record) => {
      includeOnly(start, record, (entry) => entry['number'] !== dropped);
      return named(dropped);
    });
  },
  'the tail is dropped': (start) => {
    const last = start.log.callers.get(start.caller)?.number ?? 0;
    const saved = start.random(0, last - 1);
    return onSite(start, 'entries_missing', (record) => {
      includeOnly(start, record, (entry) => Number(entry['number']) <= saved);
      return saved + 1 === last ? `entry ${last} is missing` : `entries ${saved + 1} to ${last} are missing`;
    });
  },
  'two entries are reordered': (start) =>
    onSite(start, 'out_of_order', (record) => {
      const place = start.random(1, record.entries.length - 1);
      const [one, other] = [record.entries[place - 1], record.entries[place]];
      if (!one || !other) return null;
      record.entries[place - 1] = other;
      record.entries[place] = one;
      return named(one.entry['number']);
    }),
  'an entry is inserted': (start) =>
    onSite(start, 'not_in_log', (record) => {
      const last = record.entries.at(-1);
      if (!last) return null;
      const number = Number(last.entry['number']) + 1;
      const previous = hashLeaf(toCanonical(last.entry)).toString('base64');
      const content = {
        kind: 'moderated',
        action: 'verify',
        reason: sha256('reason').toString('base64'),
        time: start.plan.now,
      };
      const index = start.random(0, 1) === 0 ? last.index + 1 : start.log.entries.length + 3;
      record.entries.push({
        index,
        entry: { caller: start.caller, kind: 'moderated', number, previous, content },
      });
      return named(number);
    }),
  'a minute is inserted at the place of an entry': (start) =>
    onSite(start, 'not_in_log', (record) => {
      const place = pick(start.random, record.entries);
      if (!place) return null;
      const content = { root: sha256('map').toString('base64'), size: place.index, time: start.plan.now };
      record.minutes.push({ index: place.index, entry: { kind: 'map', content } });
      return 'signed';
    }),
  'an entry is backdated': (start) => {
    const event = endOf(start);
    if (!event) return null;
    const early = (entry: Json) => {
      const time = event.at - start.random(1, 30) * DAY_MS;
      return objectOf(event, entry) ? { ...entry, content: { ...(entry['content'] as Json), time } } : entry;
    };
    const log = lyingLog(start, { entry: early });
    return { ...caseOf(log, start), reason: 'wrong_time', names: named(numberOf(log, event)) };
  },
  'an opening is backdated': (start) => {
    const event = pick(
      start.random,
      eventsOf(start, 'opened').filter(({ call }) =>
        eventsOf(start, 'ended').some((end) => end.call === call),
      ),
    );
    if (!event) return null;
    const plan = {
      ...start.plan,
      minutes: start.plan.minutes.map((minute) => ({
        ...minute,
        events: minute.events.map((one) => (one === event ? { ...one, at: one.at - 5 * DAY_MS } : one)),
      })),
    };
    const log = buildLog(plan, signerOf(start.seed));
    return { ...caseOf(log, start), reason: 'wrong_time', names: 'Entry ' };
  },
  'another view of the log is shown': (start) => {
    const event = endOf(start);
    if (!event) return null;
    const log = lyingLog(start, { entry: editEnd(event) });
    const place = start.plan.minutes.findIndex(({ events }) => events.includes(event));
    const sizes = start.log.sizes.slice(place);
    const store = storeWith(start.log, pick(start.random, sizes) as number, start.plan.now - DAY_MS);
    return { ...caseOf(log, start), store, reason: 'split_view', names: 'this device' };
  },
  'a number is skipped': (start) => {
    const event = endOf(start);
    if (!event) return null;
    const log = lyingLog(start, { skipsNumber: (one) => one === event });
    return {
      ...caseOf(log, start),
      reason: 'number_skipped',
      names: named(Number(numberOf(log, event)) - 1),
    };
  },
  'a statistic is changed': (start) => {
    const site = serve(start.log);
    const change = start.random(1, 5);
    const figure = pick(start.random, ['winRate', 'avgReturn', 'endedCalls', 'rankedCalls']) as string;
    site.change(`/api/callers/${start.log.callers.get(start.caller)?.handle}`, (profile) => ({
      ...profile,
      [figure]: Number(profile[figure] ?? 0) + change,
    }));
    const labels: Json = {
      winRate: 'Win Rate',
      avgReturn: 'Avg Return',
      endedCalls: 'Ended Calls',
      rankedCalls: 'Ranked Calls',
    };
    return {
      ...caseOf(start.log, { ...start, site }),
      reason: 'statistic_differs',
      names: String(labels[figure]),
    };
  },
  'a median, best or worst return is changed': (start) => {
    const site = serve(start.log);
    const figure = pick(start.random, ['medianReturn', 'bestReturn', 'worstReturn']) as string;
    site.change<{ windows: { all: Json } }>(
      `/api/callers/${start.caller}/statistics`,
      ({ windows: { all } }) => ({
        windows: { all: { ...all, [figure]: Number(all[figure] ?? 0) + 0.01 } },
      }),
    );
    return { ...caseOf(start.log, { ...start, site }), reason: 'statistic_differs', names: 'on the site' };
  },
  'a commitment is opened differently': (start) => {
    const event = endOf(start);
    if (!event) return null;
    const reopen = (entry: Json) => {
      if (!objectOf(event, entry)) return entry;
      const [opening, ...rest] = entry['reveals'] as { content: Json; number: number }[];
      return {
        ...entry,
        reveals: [{ ...opening, content: { ...opening?.content, entryPrice: '0.000001' } }, ...rest],
      };
    };
    const log = lyingLog(start, { entry: reopen });
    const revealed = log.entries.find((entry) => objectOf(event, entry))?.['reveals'] as { number: number }[];
    return { ...caseOf(log, start), reason: 'commitment_broken', names: named(revealed[0]?.number) };
  },
  'the anchor has another root': (start) => {
    const anchor = { ...anchorOf(start.log), root: sha256('another log').toString('base64') };
    return onSite(start, 'anchor_differs', (record) => {
      record.anchor = anchor;
      return 'anchored';
    });
  },
  'the chain has another root than the site says': (start) => {
    const event = endOf(start);
    const place = start.plan.minutes.findIndex(({ events }) => event !== undefined && events.includes(event));
    if (!event || place < 0 || place > Math.floor(start.log.sizes.length / 2)) return null;
    const log = lyingLog(start, { entry: editEnd(event) });
    const site = { ...serve(log), callRpc: serve(start.log).callRpc };
    return { ...caseOf(log, { ...start, site }), reason: 'anchor_differs', names: 'another text' };
  },
  'another log was anchored too': (start) => {
    const site = serve(start.log);
    const { size } = anchorOf(start.log);
    site.addMemo('hidden', `${ORIGIN} ${size} ${sha256('hidden log').toString('base64')}`);
    return { ...caseOf(start.log, { ...start, site }), reason: 'split_view', names: 'hidden' };
  },
  'an old checkpoint is served': (start) => {
    const { sizes } = start.log;
    if (sizes.length < 3) return null;
    const place = start.random(Math.floor(sizes.length / 2), sizes.length - 2);
    const site = serve(start.log, sizes[place]);
    const store = storeWith(start.log, sizes.at(-1) as number, start.plan.now - DAY_MS);
    return {
      ...caseOf(start.log, { ...start, site }),
      store,
      reason: 'stale_checkpoint',
      names: `${sizes[place]} entries`,
    };
  },
  'another key signs': (start) => {
    const log = buildLog(start.plan, signerOf(start.seed + 1_000_000));
    return {
      ...caseOf(log, start),
      pinnedKey: start.log.signer.line,
      reason: 'bad_signature',
      names: ORIGIN,
    };
  },
  'the signature is of another text': (start) =>
    onSite(start, 'bad_signature', (record) => {
      record.checkpoint = record.checkpoint.replace(/\n\d+\n/, '\n999\n');
      return ORIGIN;
    }),
  'the map names an earlier last entry': (start) => {
    const log = lyingLog(start, {
      map: (line, caller) => (caller === start.caller ? { ...line, number: line.number - 1 } : line),
    });
    return { ...caseOf(log, start), reason: 'map_wrong', names: 'another last entry' };
  },
  'an entry was replaced before signing': (start) => {
    const event = endOf(start);
    if (!event) return null;
    const last = start.log.callers.get(start.caller)?.number;
    if (numberOf(start.log, event) === last) return null;
    const number = Number(numberOf(start.log, event));
    const log = lyingLog(start, {
      entry: (entry) =>
        entry['caller'] === start.caller && entry['number'] === number + 1
          ? { ...entry, previous: sha256('the replaced entry').toString('base64') }
          : entry,
    });
    return { ...caseOf(log, start), reason: 'chain_broken', names: named(number + 1) };
  },
  'a text is changed': (start) =>
    onSite(start, 'text_differs', (record) => {
      const text = pick(start.random, record.texts);
      if (!text) return null;
      text.text = `${text.text} (edited)`;
      return named(text.number);
    }),
  "another caller's record is shown": (start) => {
    const site = serve(start.log);
    const { handle } = start.log.callers.get(start.caller) as { handle: string };
    site.change('/api/callers/rival', () => ({ ...responseOf(start), twitterHandle: 'rival' }));
    return {
      ...caseOf(start.log, { ...start, site }),
      handle: 'rival',
      reason: 'name_differs',
      names: `@${handle}`,
    };
  },
  'a losing call is never opened': (start) => {
    const isOpen = [...(start.log.callers.get(start.caller)?.open.values() ?? [])].flat()[0];
    if (!isOpen) return null;
    const now = start.plan.now + 130 * DAY_MS;
    return { ...caseOf(start.log, start), now, reason: 'never_opened', names: named(isOpen.number) };
  },
  'a short gain is counted': (start) => {
    const event = eventsOf(start, 'ended').find(({ uncounted }) => uncounted !== undefined);
    if (!event) return null;
    const { uncounted: _, ...counted } = event;
    const plan = {
      ...start.plan,
      minutes: start.plan.minutes.map((minute) => ({
        ...minute,
        events: minute.events.map((one) => (one === event ? counted : one)),
      })),
    };
    const log = buildLog(plan, signerOf(start.seed));
    return { ...caseOf(log, start), reason: 'rule_broken', names: named(numberOf(log, event)) };
  },
};

function responseOf({ log, caller }: Start): Json {
  const handle = log.callers.get(caller)?.handle;
  return { id: caller, twitterHandle: handle, firstName: 'The', lastName: handle };
}

/** Manipulations that only a scan of the whole log can find. */
export const wholeLogTampers: Readonly<Record<string, Tamper>> = {
  'wrong figures of the directory are excused with a last call in the future': (start) => {
    const site = serve(start.log);
    site.change<Json[]>('/api/callers', (callers) =>
      callers.map((caller) => ({ ...caller, winRate: 99.5, lastCallTimestamp: '2099-01-01T00:00:00.000Z' })),
    );
    return { ...caseOf(start.log, { ...start, site }), reason: 'statistic_differs', names: 'Win Rate' };
  },
  'a figure of the directory is left out': (start) => {
    const site = serve(start.log);
    site.change<Json[]>('/api/callers', (callers) =>
      callers.map((caller) => ({ ...caller, winRate: undefined })),
    );
    return {
      ...caseOf(start.log, { ...start, site }),
      reason: 'statistic_differs',
      names: 'Win Rate is missing',
    };
  },
  'the directory is empty': (start) => {
    if (!eventsOf(start, 'ended').some(({ call }) => isRankedCall(start, call))) return null;
    const site = serve(start.log);
    site.change<Json[]>('/api/callers', () => []);
    return { ...caseOf(start.log, { ...start, site }), reason: 'callers_missing', names: start.caller };
  },
  'an entry of a bundle is edited': (start) => {
    const site = serve(start.log);
    const index = start.random(0, start.log.entries.length - 1);
    const tile = Math.floor(index / 256);
    const width = Math.min(256, site.size - tile * 256);
    const path = `/log/tile/entries/${String(tile).padStart(3, '0')}${width < 256 ? `.p/${width}` : ''}`;
    const lie = {
      ...start.log,
      entries: start.log.entries.with(index, { ...start.log.entries[index], edited: true }),
    };
    const edited = serve(lie).source.fetchBytes;
    const { fetchBytes } = site.source;
    const source = {
      ...site.source,
      fetchBytes: (requested: string) => (requested === path ? edited(requested) : fetchBytes(requested)),
    };
    return {
      ...caseOf(start.log, { ...start, site: { ...site, source } }),
      reason: 'not_in_log',
      names: named(index),
    };
  },
  'the directory is reordered': (start) => {
    const site = serve(start.log);
    site.change<Json[]>('/api/callers', (callers) => callers.toReversed());
    const profiles = inDefaultOrder([...start.log.callers].map(([id, caller]) => profileOf(id, caller)));
    const places = profiles.map(({ rankedCalls, avgReturn }) => `${rankedCalls >= 5} ${avgReturn}`);
    if (places[0] === places.at(-1)) return null;
    return { ...caseOf(start.log, { ...start, site }), reason: 'order_differs', names: '@caller_' };
  },
  'a figure of the directory is changed': (start) => {
    const site = serve(start.log);
    site.change<Json[]>('/api/callers', (callers) =>
      callers.map((caller) => (caller['id'] === start.caller ? { ...caller, avgReturn: 1_234 } : caller)),
    );
    const { handle } = start.log.callers.get(start.caller) as { handle: string };
    return {
      ...caseOf(start.log, { ...start, site }),
      reason: 'statistic_differs',
      names: `@${handle}: Avg Return`,
    };
  },
  'an older map is wrong': (start) => {
    const own = start.log.entries.findIndex((entry) => entry['caller'] === start.caller);
    const isAlone = start.log.entries[own + 1]?.['kind'] === 'map';
    const map = (line: { number: number; last: string | null }, caller: string) =>
      caller === start.caller && line.number === 1 ? { ...line, number: 7 } : line;
    if (!isAlone) return null;
    return { ...caseOf(lyingLog(start, { map }), start), reason: 'map_wrong', names: 'map in entry' };
  },
  'a tile is changed': (start) => {
    const site = serve(start.log);
    const tiles = Math.floor(site.size / 256);
    if (tiles === 0) return null;
    site.changeBytes(`/log/tile/1/000.p/${tiles}`, (bytes) => Buffer.from(bytes).fill(1, 0, 4));
    return { ...caseOf(start.log, { ...start, site }), reason: 'tile_differs', names: '/log/tile/1/000' };
  },
};
