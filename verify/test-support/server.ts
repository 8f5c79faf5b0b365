import { buildLog, callsOf, quotesOf, rootsOf, type BuiltLog } from './build.ts';
import { SIGNER, WALLET, type World } from './history.ts';
import { cosign, signNote, type Signer } from './keys.ts';
import { callerAt, textsAt } from './responses.ts';
import type { CallRpc, Store, Verdict, VerifyOptions } from '../verify.ts';
import { verify } from '../verify.ts';

const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
const PAGE = 3;
const TEXTS_PAGE = 5;

export interface Memo {
  readonly signature: string;
  readonly memo: string;
  readonly at: number;
  readonly signers: readonly string[];
  readonly wallets: readonly string[];
  readonly err?: unknown;
}

/** A caller's place in the directory: the group, the figure that sorts, and the id. */
type Place = readonly [group: number, key: number, id: string];

function comparePlaces(one: Place, other: Place): number {
  return one[0] - other[0] || one[1] - other[1] || (one[2] < other[2] ? -1 : Number(one[2] > other[2]));
}

type Change = (value: never, url: URL) => unknown;

/** A site with a log, and the chain. Tests change responses, sizes and memos. */
export class Server {
  readonly world: World;
  log: BuiltLog;
  data: readonly (string | Uint8Array)[];
  roots: string[];
  /** The published size, and the sizes that responses name. */
  size: number;
  shownSize: (path: string) => number;
  signer: Signer = SIGNER;
  memos: Memo[];
  witness: Signer | null = null;
  requests = { site: 0, rpc: 0, bytes: 0 };
  readonly #changes: { path: RegExp; change: Change }[] = [];

  constructor(world: World, log: BuiltLog = buildLog(world.events)) {
    this.world = world;
    this.log = log;
    this.data = log.data;
    this.roots = rootsOf(log.data);
    this.size = log.data.length;
    this.shownSize = () => this.size;
    this.memos = world.anchors.map(({ at, size }, place) => this.memoOf(size, at, `anchor-${place}`));
  }

  /** Serves another log, with the memos of the log before. */
  replaceLog(log: BuiltLog): this {
    this.log = log;
    this.data = log.data;
    this.roots = rootsOf(log.data);
    this.size = log.data.length;
    return this;
  }

  memoOf(size: number, at: number, signature: string, wallet = WALLET): Memo {
    const memo = `${this.signer.name} ${size} ${this.roots[size]}`;
    return { signature, memo, at, signers: [wallet], wallets: [wallet] };
  }

  /** Changes JSON or text responses, or with bytes the bundles. */
  change<Value>(path: RegExp, change: (value: Value, url: URL) => unknown): this {
    this.#changes.push({ path, change });
    return this;
  }

  get = async (path: string): Promise<Response> => {
    this.requests.site += 1;
    const url = new URL(path, 'https://calls.example');
    const found = this.#respond(url);
    if (found === null) return new Response('{}', { status: 404 });
    let { body } = found;
    const key = url.pathname + url.search;
    for (const { path: changed, change } of this.#changes) {
      if (changed.test(key)) body = change(structuredClone(body) as never, url) ?? body;
    }
    if (body instanceof Response) return body;
    const bytes = body instanceof Uint8Array || typeof body === 'string' ? body : JSON.stringify(body);
    this.requests.bytes += bytes.length;
    return new Response(bytes as BodyInit, { headers: found.headers ?? {} });
  };

  checkpoint(): string {
    const note = signNote(`${this.signer.name}\n${this.size}\n${this.roots[this.size]}\n`, this.signer);
    return this.witness === null
      ? note
      : note + cosign(note, this.witness, Math.floor(this.world.now / 1_000));
  }

  #respond(url: URL): { body: unknown; headers?: Record<string, string> } | null {
    const { pathname } = url;
    if (pathname === '/log/key') return { body: `${this.signer.line}\n` };
    if (pathname === '/log/checkpoint') return { body: this.checkpoint() };
    if (pathname.startsWith('/log/tile/entries/')) return { body: this.#bundle(pathname) };
    if (pathname.startsWith('/log/texts/')) return this.#texts(url);
    const [, call] = /^\/api\/token-calls\/(?!caller\/)(.+)$/.exec(pathname) ?? [];
    if (call !== undefined) return this.#detail(call);
    const size = this.shownSize(pathname);
    const headers = { 'Log-Size': String(size) };
    if (pathname === '/api/callers') return this.#directory(url, size);
    const [, name = '', part] =
      /^\/api\/(?:callers|token-calls\/caller)\/([^/]+)(\/statistics)?$/.exec(pathname) ?? [];
    const caller = this.#callers(size).find(
      (id) => id === name || callerAt(this.world, id, size)?.profile['twitterHandle'] === name,
    );
    const state = caller === undefined ? null : callerAt(this.world, caller, size);
    if (state === null) return null;
    if (pathname.startsWith('/api/token-calls')) return { body: state.calls, headers };
    return { body: part === undefined ? state.profile : state.statistics, headers };
  }

  #detail(call: string) {
    const { opened, ended } = callsOf(this.world.events).get(call) ?? {};
    if (opened === undefined || ended === undefined) return null;
    return { body: { id: call, quotes: [...quotesOf(opened), ...quotesOf(ended)] } };
  }

  #callers = (size: number): string[] => [
    ...new Set(this.world.events.slice(0, size).flatMap(({ caller }) => caller ?? [])),
  ];

  #bundle(pathname: string): Buffer {
    const [, place = '', width] = /entries\/([x\d/]+?)(?:\.p\/(\d+))?$/.exec(pathname) ?? [];
    const bundle = Number(place.replaceAll(/[x/]/g, ''));
    const entries = this.data.slice(bundle * 256, bundle * 256 + Number(width ?? 256)).map((entry) => {
      const bytes = Buffer.from(entry);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(bytes.length);
      return Buffer.concat([length, bytes]);
    });
    return Buffer.concat(entries);
  }

  #texts(url: URL) {
    const caller = url.pathname.split('/')[3] ?? '';
    const after = Number(url.searchParams.get('after'));
    const all = textsAt(this.world, this.log.numbers, caller, this.shownSize(url.pathname));
    const left = all.filter(({ number }) => Number(number) > after);
    const last = left[TEXTS_PAGE - 1]?.number;
    // Texts of one entry stay together.
    const body = last === undefined ? left : left.filter(({ number }) => Number(number) <= last);
    const next = `<${url.pathname}?after=${last}>; rel="next"`;
    return { body, headers: body.length < left.length ? { Link: next } : {} };
  }

  #directory(url: URL, size: number) {
    const sort = url.searchParams.get('sort') ?? 'avgReturn';
    const direction = url.searchParams.get('order') === 'asc' ? 1 : -1;
    const missing = sort === 'winRate' ? -1 : ({ proven: -1_000 }[sort] ?? -100);
    const placeOf = (profile: Record<string, unknown>): Place => [
      profile['isLeading'] === true ? 0 : 1,
      Number(profile[sort] ?? missing) * direction,
      String(profile['id']),
    ];
    // As in the product, a page begins after the place of the last row, whoever entered or left above it.
    const after = url.searchParams.get('cursor');
    const rows = this.#callers(size)
      .flatMap((id) => callerAt(this.world, id, size) ?? [])
      .filter(({ isListed }) => isListed)
      .map(({ profile: { activeCallCount: _count, ...row }, recentCalls }) => ({ ...row, recentCalls }))
      .filter((row) => after === null || comparePlaces(placeOf(row), JSON.parse(after) as Place) > 0)
      .sort((one, other) => comparePlaces(placeOf(one), placeOf(other)));
    const page = rows.slice(0, PAGE);
    const next = new URL(url);
    next.searchParams.set('cursor', JSON.stringify(placeOf(page.at(-1) ?? {})));
    const headers: Record<string, string> = { 'Log-Size': String(size) };
    if (page.length < rows.length) headers['Link'] = `<${next.pathname}${next.search}>; rel="next"`;
    return { body: page, headers };
  }

  callRpc: CallRpc = async (method, [subject, config]) => {
    this.requests.rpc += 1;
    if (method === 'getTransaction') {
      const found = this.memos.find(({ signature }) => signature === subject);
      if (found === undefined) return null;
      const accountKeys = [...new Set([...found.wallets, ...found.signers])].map((pubkey) => ({
        pubkey,
        signer: found.signers.includes(pubkey),
      }));
      const instructions = [{ programId: MEMO_PROGRAM, parsed: found.memo }];
      return { meta: { err: found.err ?? null }, transaction: { message: { accountKeys, instructions } } };
    }
    const { limit, before } = config as { limit: number; before?: string };
    const all = this.memos
      .filter(({ wallets }) => wallets.includes(String(subject)))
      .sort((one, other) => other.at - one.at);
    const from = before === undefined ? 0 : all.findIndex(({ signature }) => signature === before) + 1;
    return all.slice(from, from + limit).map(({ signature, memo, at, err = null }) => ({
      signature,
      err,
      memo: `[${memo.length}] ${memo}`,
      blockTime: Math.floor(at / 1_000),
    }));
  };
}

export function createStore(): Store {
  const saved = new Map<string, Uint8Array>();
  return {
    read: async (name) => saved.get(name) ?? null,
    write: async (name, bytes) => void saved.set(name, bytes),
  };
}

/** Verifies a caller (all, if it's null) on a first visit, unless options differ. */
export function check(
  server: Server,
  caller: string | null,
  options: Partial<VerifyOptions> = {},
  run = verify,
): Promise<Verdict> {
  return run({
    target: caller === null ? { kind: 'all' } : { kind: 'caller', handle: caller },
    get: server.get,
    store: createStore(),
    callRpc: server.callRpc,
    known: {},
    witnesses: [],
    now: server.world.now,
    onProgress: () => undefined,
    isNewKeyTrusted: false,
    wait: async () => undefined,
    ...options,
  });
}
