import { buildLog, callsOf, type Json } from './build.ts';
import {
  DAY,
  HOUR,
  MINUTE,
  SECOND,
  type BuiltEvent,
  type EndedEvent,
  type MarkedEvent,
  type NamedEvent,
  type OpenedEvent,
  type World,
} from './history.ts';
import { createSigner } from './keys.ts';
import type { Random } from './random.ts';
import { callerAt } from './responses.ts';
import { Server } from './server.ts';
import type { Reason } from '../verify.ts';

// Random lies of a site that has all keys, and how each has to be noticed.

export interface Lie {
  readonly server: Server;
  /** One of these has to be among the failures. */
  readonly reasons: readonly Reason[];
  /** True if the visitor has seen the honest log before, and has no Solana endpoint. */
  readonly isSecondVisit?: boolean;
  readonly isOffline?: boolean;
  /** False if the visitor requested no response that the lie changes, so nobody was told the lie. */
  readonly isTold?: () => boolean;
}

/** Returns null if the history has nothing to lie about. */
type Liar = (world: World, random: Random) => Lie | null;

const copyOf = ({ events, ...world }: World): World => ({
  ...structuredClone(world),
  events: events.map((event) => (event.kind === 'keys' ? event : structuredClone(event))),
});

const REWRITTEN: readonly Reason[] = ['split_view', 'stale_checkpoint'];

/** The whole log is rebuilt from changed events. */
const rewrite =
  (change: (events: BuiltEvent[], random: Random) => BuiltEvent[] | null): Liar =>
  (world, random) => {
    const events = change(copyOf(world).events, random);
    if (events === null) return null;
    const { memos } = new Server(world);
    // The published log may be older than an anchor by ten minutes.
    const server = new Server({ ...world, events, now: world.now + 11 * MINUTE });
    server.memos = memos;
    const isSecondVisit = random.chance(0.5);
    return { server, reasons: REWRITTEN, isSecondVisit, isOffline: isSecondVisit };
  };

/** Changes entries, and continues the chain with the changed entries. */
const fake =
  (
    isFaked: (entry: Json) => boolean,
    reasons: readonly Reason[],
    change: (entry: Json, random: Random) => Json | null,
  ): Liar =>
  (world, random) => {
    const honest = buildLog(world.events);
    const places = honest.entries.flatMap((entry, index) => (isFaked(entry) ? [index] : []));
    if (places.length === 0) return null;
    const at = random.pick(places);
    const faked = change(structuredClone(honest.entries[at] ?? {}), random);
    if (faked === null) return null;
    const log = buildLog(world.events, (entry, index) => (index === at ? { ...entry, ...faked } : entry));
    return { server: new Server(world, log), reasons, isOffline: random.chance(0.5) };
  };

const isKind = (kind: string) => (entry: Json) => entry['kind'] === kind;

/** An end opens something else than the opening's content. */
const reveal = (change: (first: { content: Json }, random: Random) => Json): Liar =>
  fake(isKind('ended'), ['commitment_broken'], ({ reveals }, random) => {
    const [first, ...others] = reveals as [{ content: Json }, ...object[]];
    return { reveals: [{ ...first, ...change(first, random) }, ...others] };
  });

/** The entries stay as they were written, but an inner one is missing or moved. */
const move =
  (change: (data: string[], at: number, random: Random) => string[]): Liar =>
  (world, random) => {
    const log = buildLog(world.events);
    const at = innerPlace(log.entries, random);
    if (at === null || at === 0) return null;
    const server = new Server(world, { ...log, data: change([...log.data], at, random) });
    return { server, reasons: ['chain_broken'], isOffline: true };
  };

/** The site shows something else. */
const show =
  (path: RegExp, reasons: readonly Reason[], change: (value: never, random: Random) => unknown): Liar =>
  (world, random) => {
    let isChanged = false;
    const server = new Server(world).change(path, (value) => {
      const changed = isChanged ? null : change(value as never, random);
      isChanged ||= changed !== null;
      return changed;
    });
    return { server, reasons, isOffline: random.chance(0.5), isTold: () => isChanged };
  };

/** The site shows another list, of which one row is changed or, for null, missing. */
const showOther = (path: RegExp, reason: Reason, change: (row: Json, random: Random) => Json | null): Liar =>
  show(path, [reason], (rows: Json[], random) => {
    if (rows.length === 0) return null;
    const at = random.below(rows.length);
    const changed = change(rows[at] ?? {}, random);
    return changed === null ? rows.toSpliced(at, 1) : rows.with(at, { ...rows[at], ...changed });
  });

function removeCall(events: BuiltEvent[], random: Random): BuiltEvent[] | null {
  const calls = [...callsOf(events).keys()];
  const call = random.pick(calls);
  return calls.length === 0 ? null : events.filter((event) => !('call' in event) || event.call !== call);
}

/** One event of a kind is changed. */
const rewriteOne = (kind: string, change: (event: never) => void): Liar =>
  rewrite((events, random) => {
    const found = events.filter((event) => event.kind === kind);
    if (found.length === 0) return null;
    change(random.pick(found) as never);
    return events;
  });

/** A place with a later entry of the same caller. */
function innerPlace(entries: readonly Json[], random: Random): number | null {
  const places = entries.flatMap(({ caller }, index) => {
    const hasNext =
      caller !== undefined && entries.slice(index + 1).some((entry) => entry['caller'] === caller);
    return hasNext ? [index] : [];
  });
  return places.length === 0 ? null : random.pick(places);
}

const anyNumber = (value: unknown) => (typeof value === 'number' ? value + 1.5 : 12.5);
const FIGURES =
  'winRate avgReturn followerReturn totalCalls endedCalls rankedCalls provenResults proven'.split(' ');
const WINDOW_MEMBERS =
  'meanReturn medianReturn bestReturn worstReturn endedCalls profitFactor shareOfDoubledCalls'.split(' ');
const CALL_MEMBERS = `
  entryPrice endPrice tokenMint tokenSymbol callTimestamp endTimestamp unrankedReason uncountedGainReason
  automaticEnd stopPrice changePercent`
  .trim()
  .split(/\s+/);
const PROFILE = /^\/api\/callers\/[^/?]+$/;
const CALLS = /^\/api\/token-calls\/caller/;

export const LIES: Readonly<Record<string, Liar>> = {
  'a call is removed': rewrite(removeCall),
  'an end price is raised': rewriteOne('ended', (event: EndedEvent) => {
    event.endPrice = `${Number(event.endPrice) + 7}`;
    event.uncounted = null;
  }),
  'an opening is moved back': rewriteOne('opened', (event: OpenedEvent) => (event.time -= 5 * MINUTE)),
  'marks are changed': rewriteOne('marked', (event: MarkedEvent) => {
    const mark = { liquidityUsd: 1, price: '1', seenAt: event.time, solPriceUsd: '1', source: 'x' };
    event.open = event.open === null ? mark : null;
  }),
  'a name is changed': rewriteOne('named', ({ handle }: NamedEvent) => (handle.text += 'x')),
  'a caller is swapped with another': rewrite((events) => {
    const [one, other] = [...new Set(events.flatMap(({ caller }) => caller ?? []))];
    if (one === undefined || other === undefined) return null;
    const swapped = new Map([
      [one, other],
      [other, one],
    ]);
    return events.map((event) =>
      event.caller === null ? event : { ...event, caller: swapped.get(event.caller) ?? event.caller },
    );
  }),
  'a caller’s newest entries are forgotten': rewrite((events, random) => {
    const caller = random.pick(events)?.caller;
    const own = events.filter((event) => event.caller === caller).slice(-1 - random.below(5));
    return caller === null ? null : events.filter((event) => !own.includes(event));
  }),
  'a winner is inserted': rewrite((events, random) => {
    const at = 2 + random.below(events.length - 2);
    const { caller, time = 0 } = events[at - 1] ?? {};
    if (!caller) return null;
    const winner = { caller, call: 'winner', isPaidPromotion: false, unranked: null, thesis: null };
    const terms = { mint: 'Winner', symbol: 'W', entryPrice: '1', target: null, stop: null };
    const end = { endPrice: '10', uncounted: null, automatic: null };
    return events.toSpliced(
      at,
      0,
      { ...winner, ...terms, kind: 'opened', salt: random.salt(), time: time + 1 },
      { caller, call: 'winner', ...end, kind: 'ended', time: time + HOUR },
    );
  }),
  'an inner entry is left out': move((data, at) => data.toSpliced(at, 1)),
  'an entry comes twice': move((data, at) => data.toSpliced(at, 0, data[at] ?? '')),
  'an inner entry is replaced': move((data, at, random) =>
    data.with(at, String(data[at]).replace(/"previous":("[^"]+"|null)/, `"previous":"${random.salt()}"`)),
  ),
  'an end opens another price': reveal(({ content }) => ({ content: { ...content, entryPrice: '0.123' } })),
  'an end opens with another salt': reveal((_, random) => ({ salt: random.pick([random.salt(), 'AAAA']) })),
  'an end opens nothing': fake(isKind('ended'), ['commitment_broken'], () => ({ reveals: [] })),
  'an end leaves an update sealed': (world, random) => {
    const lie = fake(
      ({ kind, reveals }) => kind === 'ended' && (reveals as object[]).length > 1,
      ['never_opened'],
      ({ reveals }) => ({ reveals: (reveals as object[]).slice(0, -1) }),
    )(world, random);
    if (lie) lie.server.world.now += 39 * DAY;
    return lie && { ...lie, isOffline: false };
  },
  'a rule is another': fake(isKind('marked'), ['rule_broken'], ({ rule }, random) => ({
    rule: random.pick(['marks', 'loss_without_mark', 'gain_without_mark'].filter((other) => other !== rule)),
  })),
  'a mark is from another minute': fake(
    ({ kind, end }) => kind === 'marked' && end !== null,
    ['rule_broken'],
    ({ end }, random) => ({ end: { ...(end as object), seenAt: random.below(1e12) } }),
  ),
  'marks are of no call': fake(isKind('marked'), ['rule_broken'], () => ({ call: 'no call' })),
  'an entry is from the future': fake(isKind('named'), ['wrong_time'], ({ time }) => ({
    time: Number(time) + 4e12,
  })),
  'an entry has a version that isn’t announced, or an older one': fake(
    () => true,
    // Entries of an older version don't have the newer members.
    ['rule_broken', 'malformed'],
    ({ v }, random) => ({ v: Number(v) === 1 ? 9 : random.pick([9, 1]) }),
  ),
  'a version is announced again': fake(isKind('format'), ['rule_broken'], ({ v }) => ({ version: v })),
  'an end opens another version than was sealed': reveal(({ content }) => ({
    content: { ...content, v: Number(content['v']) + 1 },
  })),
  'an entry has another form': fake(
    ({ caller }) => caller !== undefined,
    ['malformed'],
    ({ v, kind, commitment }, random) =>
      random.pick<Json>([
        ...(v === 1 ? [{ kind: 'x' }, { more: 1 }] : []),
        { v: 0 },
        { number: -1 },
        { number: 1.5 },
        { previous: 'x' },
        commitment === undefined ? { time: String(kind) } : { commitment: 'x' },
      ]),
  ),
  'bundles aren’t what was signed': (world, random) => {
    const server = new Server(world);
    const at = random.below(server.data.length);
    const bytes = Buffer.from(server.data[at] ?? '');
    const place = random.below(bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << random.below(8));
    server.data = server.data.with(at, bytes);
    return { server, reasons: ['entries_changed', 'malformed'] };
  },
  'a checkpoint isn’t signed': (world, random) => {
    const server = new Server(world);
    const change = random.pick([
      (note: string) => note.replace(/\n\d+\n/, '\n1\n'),
      (note: string) => note.replace(/^(.*\n.*\n)./, '$1_'),
      (note: string) => note.replace(/(.{20})..\n$/, '$1\n'),
      (note: string) => note.slice(0, note.indexOf('—')),
    ]);
    server.change(/checkpoint$/, change);
    return { server, reasons: ['signature_wrong', 'malformed'] };
  },
  'a checkpoint has another key': (world) => {
    const server = new Server(world);
    server.signer = createSigner(server.signer.name, 8);
    return { server, reasons: ['signature_wrong'] };
  },
  'a checkpoint is old': (world, random) => {
    const server = new Server(world);
    server.size = 1 + random.below(server.size - 1);
    server.world.now += 11 * MINUTE;
    const isSecondVisit = random.chance(0.5);
    return { server, reasons: ['stale_checkpoint'], isSecondVisit, isOffline: isSecondVisit };
  },
  'a second log was anchored': (world, random) => {
    const server = new Server(world);
    const size = 1 + random.below(server.size);
    const memo = `${server.signer.name} ${size} ${random.salt()}`;
    server.memos.push({ ...server.memoOf(size, world.now - SECOND * random.below(9_000), 'second'), memo });
    return { server, reasons: ['split_view'] };
  },
  'a caller’s figure is another': show(PROFILE, ['figure_differs'], (profile: Json, random) => {
    const name = random.pick(FIGURES);
    return { ...profile, [name]: anyNumber(profile[name]) };
  }),
  'a window is another': show(
    /statistics$/,
    ['figure_differs'],
    ({ windows, ...others }: { windows: Record<string, Json> }, random) => {
      const [name, member] = [random.pick(['30d', '90d', 'all']), random.pick(WINDOW_MEMBERS)];
      const window = { ...windows[name], [member]: anyNumber(windows[name]?.[member]) };
      return { ...others, windows: { ...windows, [name]: window } };
    },
  ),
  'a call is another': showOther(CALLS, 'call_differs', (call, random) => {
    const name = random.pick(CALL_MEMBERS);
    return { [name]: name === 'changePercent' ? anyNumber(call[name]) : 'another' };
  }),
  'a call isn’t shown': showOther(CALLS, 'call_missing', () => null),
  'a thesis is another': showOther(CALLS, 'text_differs', () => ({ thesis: 'I have always said so.' })),
  'a served text is another': showOther(/^\/log\/texts/, 'text_differs', ({ text }) => ({
    text: `${String(text)}.`,
  })),
  'a handle is another': show(PROFILE, ['name_differs'], (profile: Json) =>
    String(profile['twitterHandle']).startsWith('deleted-')
      ? null
      : { ...profile, twitterHandle: 'somebody' },
  ),
  'a caller isn’t listed': showOther(/^\/api\/callers$/, 'caller_missing', () => null),
  'a directory has another order': show(/^\/api\/callers$/, ['order_differs'], (callers: Json[]) => {
    const key = ({ isLeading, avgReturn }: Json) => [isLeading, avgReturn ?? -100].join();
    return new Set(callers.map(key)).size < 2 ? null : callers.toReversed();
  }),
  'a response is old': (world, random) => {
    const server = new Server(world);
    const caller = world.events.find((event) => event.kind === 'ended')?.caller;
    if (!caller) return null;
    const old = 2 + random.below(server.size - 2);
    const callsAt = (size: number) => callerAt(world, caller, size)?.profile['endedCalls'];
    if (callsAt(old) === undefined || callsAt(old) === callsAt(server.size)) return null;
    const next = world.events.slice(old).find((event) => event.kind !== 'opened' && event.kind !== 'updated');
    if (next === undefined) return null;
    server.world.now = Math.max(server.world.now, next.time + 11 * MINUTE);
    let isTold = false;
    server.shownSize = (path) => {
      const isOld = path.startsWith(`/api/callers/${caller}`);
      isTold ||= isOld;
      return isOld ? old : server.size;
    };
    return { server, reasons: ['figure_differs'], isOffline: true, isTold: () => isTold };
  },
};

/** A random lie about a random history. */
export function randomLie(world: World, random: Random): { name: string; lie: Lie } {
  for (;;) {
    const name = random.pick(Object.keys(LIES));
    const lie = LIES[name]?.(copyOf(world), random) ?? null;
    if (lie !== null) return { name, lie };
  }
}
