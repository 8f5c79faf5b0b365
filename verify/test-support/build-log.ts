import { createHash, createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import type { Plan, PlannedEvent } from './plan.ts';

// An honest log, written from docs/SEALED-CALLS.md alone. It shares no code with the verifier.

export type Json = Record<string, unknown>;

export const sha256 = (...parts: (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
export const hashLeaf = (data: Buffer | string): Buffer => sha256(Buffer.of(0), data);
const hashNode = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);

export function toCanonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(
          Object.keys(member)
            .sort()
            .map((key) => [key, (member as Json)[key]]),
        )
      : member,
  );
}

const split = (size: number) => 2 ** (Math.ceil(Math.log2(size)) - 1);

export function merkleRoot(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 0) return sha256();
  if (hashes.length === 1) return hashes[0] as Buffer;
  const midpoint = split(hashes.length);
  return hashNode(merkleRoot(hashes.slice(0, midpoint)), merkleRoot(hashes.slice(midpoint)));
}

/** Creates one proof for several leaves of a tree. */
export function proveLeaves(hashes: readonly Buffer[], wanted: ReadonlySet<number>, from = 0): Buffer[] {
  const isWanted = hashes.some((_, place) => wanted.has(from + place));
  if (!isWanted) return [merkleRoot(hashes)];
  if (hashes.length === 1) return [];
  const midpoint = split(hashes.length);
  return [
    ...proveLeaves(hashes.slice(0, midpoint), wanted, from),
    ...proveLeaves(hashes.slice(midpoint), wanted, from + midpoint),
  ];
}

export interface Signer {
  readonly name: string;
  readonly key: KeyObject;
  readonly id: Buffer;
  /** The signer's verifier key, as a line of text. */
  readonly line: string;
}

/** Creates a signer. The type is 1 for notes and 4 for cosignatures. */
export function createSigner(name: string, seed: Buffer, type = 1): Signer {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' });
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  const typed = Buffer.concat([Buffer.of(type), raw]);
  const id = sha256(`${name}\n`, typed).subarray(0, 4);
  return { name, key, id, line: `${name}+${id.toString('hex')}+${typed.toString('base64')}` };
}

export function signNote(text: string, { name, key, id }: Signer): string {
  const signature = sign(null, Buffer.from(text), key);
  return `${text}\n— ${name} ${Buffer.concat([id, signature]).toString('base64')}\n`;
}

/** Returns a witness's signature line for a checkpoint. */
export function cosign(note: string, { name, key, id }: Signer, unixSeconds: number): string {
  const time = Buffer.alloc(8);
  time.writeBigUInt64BE(BigInt(unixSeconds));
  const text = note.slice(0, note.indexOf('\n\n') + 1);
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${unixSeconds}\n${text}`), key);
  return `— ${name} ${Buffer.concat([id, time, signature]).toString('base64')}\n`;
}

/** The map of all callers' last entries. */
function createMap() {
  const defaults: Buffer[] = [hashLeaf('')];
  for (let level = 1; level <= 16; level += 1) {
    const below = defaults[level - 1] as Buffer;
    defaults.push(hashNode(below, below));
  }
  const nodes = Array.from({ length: 17 }, () => new Map<number, Buffer>());
  const lines = new Map<number, Map<string, string>>();
  const nodeAt = (level: number, place: number) => nodes[level]?.get(place) ?? defaults[level] ?? sha256();
  const indexOf = (caller: string) => sha256(caller).readUInt16BE(0);
  const leafText = (index: number) =>
    [...(lines.get(index) ?? [])]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, line]) => line)
      .join('');
  return {
    set(caller: string, { number, last }: { number: number; last: string | null }): void {
      let place = indexOf(caller);
      lines.set(place, (lines.get(place) ?? new Map()).set(caller, `${caller} ${number} ${last}\n`));
      nodes[0]?.set(place, hashLeaf(leafText(place)));
      for (let level = 1; level <= 16; level += 1) {
        place >>= 1;
        nodes[level]?.set(place, hashNode(nodeAt(level - 1, 2 * place), nodeAt(level - 1, 2 * place + 1)));
      }
    },
    root: () => nodeAt(16, 0).toString('base64'),
    /** Returns the caller's current leaf and audit path. */
    prove(caller: string) {
      const index = indexOf(caller);
      const path = Array.from({ length: 16 }, (_, level) =>
        nodeAt(level, (index >> level) ^ 1).toString('base64'),
      );
      return { leaf: leafText(index), path };
    },
  };
}

export interface Text {
  readonly number: number;
  readonly salt: string;
  readonly text: string;
}

interface SealedCall {
  readonly content: Json;
  readonly number: number;
  readonly salt: string;
}

export interface EndedCall {
  readonly endedAt: number;
  readonly change: number;
  readonly isRanked: boolean;
}

/** A caller's state in the builder. */
export interface BuiltCaller {
  number: number;
  last: string | null;
  handle: string;
  readonly open: Map<string, SealedCall[]>;
  readonly ended: EndedCall[];
  readonly texts: Text[];
  totalCalls: number;
}

export interface BuiltLog {
  readonly signer: Signer;
  readonly entries: readonly Json[];
  readonly hashes: readonly Buffer[];
  /** The sizes of the checkpoints. Each ends with a map. */
  readonly sizes: readonly number[];
  readonly times: readonly number[];
  readonly callers: ReadonlyMap<string, BuiltCaller>;
  /** Returns the caller's leaf and audit path in a checkpoint's map. */
  proveMap(caller: string, size: number): { leaf: string; path: string[] };
}

export interface Lies {
  /** Changes an entry before it's written. The rest of the log is correct. */
  readonly entry?: (entry: Json, event: PlannedEvent) => Json;
  /** Changes a content before it's sealed. The revealed content stays unchanged. */
  readonly sealed?: (content: Json, event: PlannedEvent) => Json;
  /** Changes the `number` and `last` that the map gets. */
  readonly map?: (line: { number: number; last: string | null }, caller: string) => typeof line;
  readonly skipsNumber?: (event: PlannedEvent) => boolean;
}

/** Builds the log of a plan. The same plan gives the same log. */
export function buildLog(plan: Plan, signer: Signer, lies: Lies = {}): BuiltLog {
  const entries: Json[] = [];
  const hashes: Buffer[] = [];
  const sizes: number[] = [];
  const times: number[] = [];
  const callers = new Map<string, BuiltCaller>();
  const proofs = new Map<string, { leaf: string; path: string[] }>();
  const map = createMap();
  let salts = 0;
  const nextSalt = () => sha256(`${plan.seed} salt ${(salts += 1)}`).toString('base64');
  const commit = (salt: string, text: string) => sha256(Buffer.from(salt, 'base64'), text).toString('base64');

  const append = (entry: Json): string => {
    const data = toCanonical(entry);
    const hash = hashLeaf(data);
    entries.push(entry);
    hashes.push(hash);
    return hash.toString('base64');
  };

  const write = (event: PlannedEvent, fields: Json): number => {
    const caller = callers.get(event.caller) as BuiltCaller;
    const number = caller.number + (lies.skipsNumber?.(event) === true ? 2 : 1);
    const honest = { caller: event.caller, number, previous: caller.last, ...fields };
    caller.last = append(lies.entry?.(honest, event) ?? honest);
    caller.number = number;
    return number;
  };

  const withText = (caller: BuiltCaller, number: number, text: string) => {
    const salt = nextSalt();
    caller.texts.push({ number, salt, text });
    return commit(salt, text);
  };

  const seal = (event: PlannedEvent, content: Json): void => {
    const salt = nextSalt();
    const sealed = lies.sealed?.(content, event) ?? content;
    const number = write(event, { kind: 'sealed', commitment: commit(salt, toCanonical(sealed)) });
    const caller = callers.get(event.caller) as BuiltCaller;
    const call = event.call as string;
    caller.open.set(call, [...(caller.open.get(call) ?? []), { content, number, salt }]);
  };

  const contentOf = (event: PlannedEvent, caller: BuiltCaller): Json => {
    const number = caller.number + 1;
    const text = () => (event.text === undefined ? null : withText(caller, number, event.text));
    const common = { call: event.call, time: event.at };
    const quotes = sha256(`quotes ${event.at}`).toString('base64');
    switch (event.kind) {
      case 'opened': {
        const levels = { target: null, stop: null, isPaidPromotion: false, unranked: event.unranked ?? null };
        const token = { mint: event.mint, symbol: 'TOKEN', entryPrice: event.price };
        return { kind: 'opened', ...common, ...token, ...levels, quotes, thesis: text() };
      }
      case 'updated':
        return { kind: 'updated', ...common, text: text() };
      case 'ended': {
        const why = { uncounted: event.uncounted ?? null, automatic: null };
        return { kind: 'ended', ...common, endPrice: event.price, ...why, quotes };
      }
      case 'name': {
        const handle = event.handle as string;
        const name = withText(caller, number, toCanonical({ handle, name: `The ${handle}` }));
        caller.handle = handle;
        return { kind: 'name', time: event.at, name };
      }
      case 'moderated': {
        const reason = commit(nextSalt(), 'a reason');
        const { call, ...rest } = common;
        return { kind: 'moderated', ...rest, ...(call ? { call } : {}), action: event.action, reason };
      }
    }
  };

  const end = (event: PlannedEvent, caller: BuiltCaller): void => {
    const content = contentOf(event, caller);
    const reveals = caller.open.get(event.call as string) ?? [];
    const { entryPrice, unranked } = (reveals[0] as SealedCall).content;
    const change = ((Number(event.price) - Number(entryPrice)) / Number(entryPrice)) * 100;
    write(event, { kind: 'ended', content, reveals });
    caller.open.delete(event.call as string);
    const counted = event.uncounted && change > 0 ? 0 : change;
    caller.ended.push({ endedAt: event.at, change: counted, isRanked: unranked === null });
  };

  const run = (event: PlannedEvent): void => {
    const known = callers.get(event.caller);
    const fresh = { number: 0, last: null, handle: '', open: new Map(), ended: [], texts: [], totalCalls: 0 };
    const caller: BuiltCaller = known ?? fresh;
    callers.set(event.caller, caller);
    if (event.kind === 'opened') caller.totalCalls += 1;
    if (event.kind === 'ended') end(event, caller);
    else if (event.kind === 'name' || (event.kind === 'moderated' && !caller.open.has(event.call ?? ''))) {
      write(event, { kind: event.kind, content: contentOf(event, caller) });
    } else seal(event, contentOf(event, caller));
    const line = { number: caller.number, last: caller.last };
    if (caller.number > 0) map.set(event.caller, lies.map?.(line, event.caller) ?? line);
  };

  for (const minute of plan.minutes) {
    for (const event of minute.events) run(event);
    const size = entries.length;
    append({ kind: 'map', content: { root: map.root(), size, time: minute.at } });
    for (const caller of callers.keys()) proofs.set(`${caller} ${size + 1}`, map.prove(caller));
    sizes.push(size + 1);
    times.push(minute.at);
  }
  return {
    signer,
    entries,
    hashes,
    sizes,
    times,
    callers,
    // A caller without entries is proven in the newest map.
    proveMap: (caller, size) => proofs.get(`${caller} ${size}`) ?? map.prove(caller),
  };
}
