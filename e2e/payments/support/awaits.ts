import { AsyncLocalStorage } from 'node:async_hooks';
import { asDatabase } from '#test/database/as-database.ts';
import { testEnv } from '#test/test-app.ts';

/** A point just before or after an operation awaits the database, the chain or another service. */
export interface AwaitPoint {
  readonly on: 'database' | 'chain' | 'other';
  /** The beginning of the SQL statement, the JSON-RPC method, or the URL. */
  readonly name: string;
  readonly when: 'before' | 'after';
}

export interface Watch {
  /** The operation continues when the hook's promise resolves, and fails if it rejects. */
  readonly hook?: (point: AwaitPoint) => Promise<void>;
  /** Intercepts a chain request. It may change or drop the request or its response. */
  readonly requestChain?: (request: ChainRequest) => Promise<Response>;
}

export interface ChainRequest {
  readonly endpoint: 'primary' | 'fallback';
  readonly method: string;
  /** JSON. */
  readonly body: string;
  send(): Promise<Response>;
}

const watches = new AsyncLocalStorage<Watch>();

/** Runs an operation and watches only its own awaits. */
export function watched<Result>(watch: Watch, operation: () => Promise<Result>): Promise<Result> {
  return watches.run(watch, operation);
}

/** Runs test code inside a watched operation. The code counts as one await. */
export function unwatched<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
  return passing({ on: 'other', name }, () => watches.run({}, act));
}

async function passing<Result>(
  { on, name }: Pick<AwaitPoint, 'on' | 'name'>,
  wait: (watch: Watch | undefined) => Promise<Result>,
): Promise<Result> {
  const watch = watches.getStore();
  await watch?.hook?.({ on, name, when: 'before' });
  try {
    return await wait(watch);
  } finally {
    await watch?.hook?.({ on, name, when: 'after' });
  }
}

/**
 * Reports calls of `fetch` to the watches.
 * @returns a function that restores `fetch`
 */
export function watchFetch(): () => void {
  const { fetch } = globalThis;
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const send = () => fetch(input, init);
    if (!url.startsWith(testEnv.SOLANA_RPC_URL)) return passing({ on: 'other', name: url }, send);
    const body = String(init?.body);
    const method = readMethod(body);
    const endpoint = url === testEnv.SOLANA_FALLBACK_RPC_URL ? 'fallback' : 'primary';
    return passing(
      { on: 'chain', name: method },
      (watch) => watch?.requestChain?.({ endpoint, method, body, send }) ?? send(),
    );
  };
  return () => {
    globalThis.fetch = fetch;
  };
}

/**
 * Disables the timers of watched operations. While a hook pauses an operation, its timeout would fire.
 * @returns a function that restores the timers
 */
export function stopTimers(): () => void {
  const { setTimeout } = globalThis;
  const { timeout } = AbortSignal;
  globalThis.setTimeout = ((act: () => void, milliseconds?: number) =>
    watches.getStore() ? undefined : setTimeout(act, milliseconds)) as typeof setTimeout;
  AbortSignal.timeout = (milliseconds) =>
    watches.getStore() ? new AbortController().signal : timeout.call(AbortSignal, milliseconds);
  return () => {
    globalThis.setTimeout = setTimeout;
    AbortSignal.timeout = timeout;
  };
}

function readMethod(body: string): string {
  const parsed = JSON.parse(body) as { method: string } | { method: string }[];
  return Array.isArray(parsed) ? `${parsed[0]?.method}[]` : parsed.method;
}

const inner = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; text: string }>();

function watchStatement(statement: D1PreparedStatement, text: string): D1PreparedStatement {
  const on = 'database';
  const watched = {
    bind: (...values: unknown[]) => watchStatement(statement.bind(...values), text),
    first: (...columns: [string]) => passing({ on, name: text }, () => statement.first(...columns)),
    run: () => passing({ on, name: text }, () => statement.run()),
    all: () => passing({ on, name: text }, () => statement.all()),
    raw: (...options: []) => passing({ on, name: text }, () => statement.raw(...options)),
  } as unknown as D1PreparedStatement;
  inner.set(watched, { statement, text });
  return watched;
}

export function watchDatabase(database: D1Database): D1Database {
  return asDatabase({
    prepare: (sql: string) => watchStatement(database.prepare(sql), firstWords(sql)),
    batch: (statements: D1PreparedStatement[]) => {
      const found = statements.map((statement) => inner.get(statement) ?? { statement, text: '?' });
      return passing({ on: 'database', name: `batch: ${found[0]?.text}` }, () =>
        database.batch(found.map(({ statement }) => statement)),
      );
    },
  });
}

const firstWords = (sql: string) => sql.trim().replace(/\s+/g, ' ').slice(0, 48);
