import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SLOT_MS } from '../chain/slot-clock.ts';
import { startStandIns, type StandIns, type StandInsOptions } from '../stand-ins.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses of many services
export type LooseJson = any;

/** The stand-ins on a free port, with a clock that tests set. */
export interface TestEnvironment extends StandIns {
  clock: { now: number };
  /** Sends JSON; returns the parsed response body, or its text if it isn't JSON. */
  request(
    path: string,
    options?: RequestInit & { json?: unknown },
  ): Promise<{ status: number; headers: Headers; body: LooseJson }>;
  end(): Promise<void>;
}

interface TestEnvironmentOptions {
  productUrl?: string;
  chain?: StandInsOptions['chain'];
}

export const testTime = Date.UTC(2026, 2, 14, 15, 9, 26);

/** Its slots began in 1970. */
export const idleChain: StandInsOptions['chain'] = {
  clock: { slotAt: (unixMs) => Math.floor(unixMs / SLOT_MS) },
  expireBlockhash: () => undefined,
  finalize: () => undefined,
  forget: () => undefined,
  setLoad: () => undefined,
  setSlotMs: () => undefined,
  makeUnreadable: () => undefined,
  makeAllReadable: () => undefined,
  airdrop: () => '',
  account: () => undefined,
};

export async function startTestEnvironment(options: TestEnvironmentOptions = {}): Promise<TestEnvironment> {
  const { productUrl = 'http://localhost:8787', chain = idleChain } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'stand-ins-'));
  const clock = { now: testTime };
  const standIns = await startStandIns({
    port: 0,
    now: () => clock.now,
    dataDir,
    productUrl,
    chain,
  });
  return {
    ...standIns,
    clock,
    async request(path, { json, ...init } = {}) {
      const sent =
        json === undefined
          ? {}
          : { body: JSON.stringify(json), headers: { 'content-type': 'application/json', ...init.headers } };
      const response = await fetch(`${standIns.url}${path}`, {
        method: json === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        ...init,
        ...sent,
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: parseJson(text) };
    },
    async end() {
      await standIns.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
