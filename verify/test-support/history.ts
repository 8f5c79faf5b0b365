import { changePercent } from '#schema/rules/calls/change-percent.ts';
import { createRandom, type Random } from './random.ts';
import { createSigner, type Signer } from './keys.ts';

// The events of a history, one for each entry of the log.

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Text {
  text: string;
  salt: string;
  /** Hidden by operators, or erased with the account. */
  isWithdrawn?: boolean;
}

export interface BuiltMark {
  liquidityUsd: number | null;
  price: string | null;
  seenAt: number;
  solPriceUsd: string | null;
  source: string | null;
}

interface Common {
  time: number;
  caller: string;
}
interface OfCall extends Common {
  call: string;
}
export type OpenedEvent = OfCall & {
  kind: 'opened';
  salt: string;
  mint: string;
  symbol: string;
  entryPrice: string;
  target: string | null;
  stop: string | null;
  isPaidPromotion: boolean;
  unranked: string | null;
  thesis: Text | null;
  /** How many sources had a usable price: by default, as many as the rule that was applied says. */
  sources?: number;
};
export type UpdatedEvent = OfCall & { kind: 'updated'; salt: string; text: Text };
export type EndedEvent = OfCall & {
  kind: 'ended';
  endPrice: string;
  uncounted: string | null;
  automatic: string | null;
  sources?: number;
};
export type MarkedEvent = OfCall & { kind: 'marked'; open: BuiltMark | null; end: BuiltMark | null };
export type NamedEvent = Common & { kind: 'named'; handle: Text; name: Text; xId: Text };
export type BuiltEvent =
  | { kind: 'keys'; time: number; caller: null; signer: Signer; wallet: string; isSigned: boolean }
  | OpenedEvent
  | UpdatedEvent
  | EndedEvent
  | MarkedEvent
  | NamedEvent
  | (Common & { kind: 'hidden'; action: string; call: string | null })
  | (Common & { kind: 'deleted' })
  /** Later entries have this version: a member more in each object, and a new kind. */
  | { kind: 'format'; time: number; caller: null; version: number }
  | (Common & { kind: 'pinned' });

export interface World {
  events: BuiltEvent[];
  /** The log's size at each anchor. */
  anchors: { at: number; size: number }[];
  now: number;
}

export const SIGNER = createSigner('calls.example', 7);
export const WALLET = 'AnchorWa11et1111111111111111111111111111111';
const START = Date.UTC(2026, 0, 5, 9);

const priceOf = (random: Random) => String(Number((0.0001 + random.next()).toFixed(6)));

/** Lets callers do things one after the other. Times strictly increase, and most events are followed by an anchor. */
export class Author {
  readonly random: Random;
  readonly world: World;
  readonly #open = new Map<string, OpenedEvent[]>();
  #calls = 0;

  constructor(seed: number) {
    this.random = createRandom(seed);
    const keys = { kind: 'keys', caller: null, signer: SIGNER, wallet: WALLET, isSigned: false } as const;
    this.world = {
      events: [{ ...keys, time: START }],
      anchors: [{ at: START + MINUTE, size: 1 }],
      now: START,
    };
  }

  wait(ms: number): void {
    this.world.now += ms;
  }

  add(event: BuiltEvent): void {
    this.world.now = event.time;
    this.world.events.push(event);
  }

  /** Announces a version. */
  announce(version: number): void {
    this.add({ kind: 'format', caller: null, time: this.world.now + SECOND, version });
  }

  /** Writes an anchor of the whole log. */
  anchor(after = MINUTE): void {
    this.world.now += after;
    const at = Math.floor(this.world.now / SECOND) * SECOND;
    this.world.anchors.push({ at, size: this.world.events.length });
  }

  text(text: string): Text {
    return { text, salt: this.random.salt() };
  }

  name(
    caller: string,
    handle = caller,
    xId = `19${[...caller].map((letter) => letter.charCodeAt(0)).join('')}`,
  ): void {
    const texts = { handle: this.text(handle), name: this.text(`The ${handle}`), xId: this.text(xId) };
    this.add({ kind: 'named', caller, time: this.world.now + SECOND, ...texts });
  }

  openCalls = (caller: string): OpenedEvent[] => this.#open.get(caller) ?? [];

  open(caller: string, given: Partial<OpenedEvent> = {}): OpenedEvent {
    const { random } = this;
    this.#calls += 1;
    const mint = `Mint${this.#calls}`;
    const event: OpenedEvent = {
      kind: 'opened',
      caller,
      time: this.world.now + SECOND,
      call: `call-${this.#calls}`,
      salt: random.salt(),
      mint,
      symbol: `T${this.#calls}`,
      entryPrice: priceOf(random),
      target: random.chance(0.3) ? '5.5' : null,
      stop: null,
      isPaidPromotion: random.chance(0.1),
      unranked: random.chance(0.15) ? random.pick(['micro_cap', 'one_source']) : null,
      thesis: random.chance(0.5) ? this.text(`Why ${mint}? – “${random.below(1_000)}”`) : null,
      ...given,
    };
    this.add(event);
    this.#open.set(caller, [...this.openCalls(caller), event]);
    return event;
  }

  update(call: OpenedEvent): void {
    const { caller, call: id } = call;
    const [salt, text] = [this.random.salt(), this.text(`Update ${this.random.below(1_000)}`)];
    this.add({ kind: 'updated', caller, call: id, time: this.world.now + SECOND, salt, text });
  }

  end(call: OpenedEvent, multiple?: number): EndedEvent {
    const { random } = this;
    const { caller, call: id, entryPrice } = call;
    const factor = multiple ?? random.pick([0, 0.4, 0.9, 1, 1.2, 2, 4]);
    const endPrice = String(Number((Number(entryPrice) * factor).toPrecision(6)));
    const time = this.world.now + SECOND;
    const isGain = changePercent(entryPrice, endPrice) > 0 && call.unranked === null;
    const isShort = time - call.time < 10 * MINUTE;
    const isUncounted = isGain && (isShort || random.chance(0.1));
    const reason = isShort ? 'short_hold' : 'one_source';
    const uncounted = isUncounted ? reason : null;
    const event: EndedEvent = { kind: 'ended', caller, call: id, time, endPrice, uncounted, automatic: null };
    this.add(event);
    this.#open.set(
      caller,
      this.openCalls(caller).filter((open) => open !== call),
    );
    return event;
  }

  mark(opened: OpenedEvent, ended: EndedEvent, delay = 2 * MINUTE): void {
    const { caller, call } = opened;
    const [open, end] = [
      this.#markOf(opened.entryPrice, opened.time),
      this.#markOf(ended.endPrice, ended.time),
    ];
    const time = Math.max(this.world.now + SECOND, ended.time + delay);
    this.add({ kind: 'marked', caller, call, time, open, end });
  }

  #markOf(price: string, at: number): BuiltMark | null {
    const { random } = this;
    if (random.chance(0.05)) return null;
    const seenAt = at + MINUTE + random.below(90 * SECOND);
    const isPriced = random.chance(0.9) && Number(price) > 0;
    const liquidityUsd = random.pick([null, 0, 50_000, 1_234_567.89, 80_000]);
    const solPriceUsd = seenAt % 19 === 0 ? null : String(100 + (seenAt % 9_973) / 100);
    return isPriced
      ? { liquidityUsd, price, seenAt, solPriceUsd, source: 'one' }
      : { liquidityUsd: null, price: null, seenAt, solPriceUsd: solPriceUsd ?? '151.2', source: null };
  }

  /** Ends a call, and records its marks. */
  close(call: OpenedEvent, multiple?: number): void {
    const ended = this.end(call, multiple);
    this.mark(call, ended, this.random.chance(0.05) ? 3 * HOUR : undefined);
  }
}

/** A random honest history of several callers. @param least the number of steps at least */
export function randomWorld(seed: number, least = 10): World {
  const author = new Author(seed);
  const { random, world } = author;
  const callers = Array.from({ length: 2 + random.below(3) }, (_, place) => `caller${place}`);
  for (const caller of callers) {
    author.wait(random.below(HOUR));
    author.name(caller);
    author.anchor();
  }
  const gone = new Set<string>();
  let version = 1;
  const steps = least + random.below(random.chance(0.1) ? 120 : 30);
  for (let step = 0; step < steps; step += 1) {
    author.wait(MINUTE + random.below(random.pick([10 * MINUTE, 5 * HOUR, 2 * DAY])));
    if (random.chance(0.02)) author.announce((version += 1));
    const caller = random.pick(callers);
    if (version > 1 && random.chance(0.1)) author.add({ kind: 'pinned', caller, time: world.now + SECOND });
    act(author, caller, gone);
    // An outage of the chain makes entries late.
    author.anchor(
      random.chance(0.05) ? 20 * MINUTE + random.below(2 * HOUR) : 30 * SECOND + random.below(5 * MINUTE),
    );
    // No call stays open for longer.
    for (const caller of callers) {
      for (const call of author.openCalls(caller)) if (world.now - call.time > 20 * DAY) author.close(call);
    }
  }
  author.wait(random.pick([MINUTE, 20 * MINUTE, 2 * HOUR, 3 * DAY]));
  world.anchors.push({ at: Math.floor(world.now / SECOND) * SECOND, size: world.events.length });
  author.wait(random.pick([MINUTE, 30 * MINUTE]));
  return world;
}

function act(author: Author, caller: string, gone: Set<string>): void {
  const { random, world } = author;
  const open = author.openCalls(caller);
  if (gone.has(caller)) {
    if (random.chance(0.7)) return;
    // Coming back continues the chain.
    gone.delete(caller);
    return author.name(caller, `${caller}_back`);
  }
  const choice = random.next();
  const time = world.now + SECOND;
  if (choice < 0.45) {
    if (open.length < 4) author.open(caller);
  } else if (choice < 0.55) {
    if (open.length > 0) author.update(random.pick(open));
  } else if (choice < 0.85) {
    if (open.length > 0) author.close(random.pick(open));
  } else if (choice < 0.9) author.name(caller, `${caller}_${random.below(100)}`);
  else if (choice < 0.94) {
    const action = random.pick(['suspend', 'unsuspend', 'unsuspend']);
    author.add({ kind: 'hidden', caller, time, action, call: null });
  } else if (choice < 0.97) hideText(author, caller);
  else if (open.length === 0) {
    author.add({ kind: 'deleted', caller, time });
    gone.add(caller);
    for (const text of textsOf(world.events, caller)) text.isWithdrawn = true;
  }
}

function hideText(author: Author, caller: string): void {
  const { world, random } = author;
  const ended = world.events.filter((event) => event.kind === 'ended' && event.caller === caller);
  const event = ended.length === 0 ? undefined : random.pick(ended);
  if (event?.kind !== 'ended') return;
  const opened = world.events.find((other) => other.kind === 'opened' && other.call === event.call);
  if (opened?.kind !== 'opened' || opened.thesis === null) return;
  opened.thesis.isWithdrawn = true;
  author.add({ kind: 'hidden', caller, time: world.now + SECOND, action: 'hide_text', call: event.call });
}

/** All texts of a caller so far. */
export function textsOf(events: readonly BuiltEvent[], caller: string): Text[] {
  return events.flatMap((event) => {
    if (event.caller !== caller) return [];
    if (event.kind === 'named') return [event.handle, event.name, event.xId];
    if (event.kind === 'updated') return [event.text];
    return event.kind === 'opened' && event.thesis !== null ? [event.thesis] : [];
  });
}
