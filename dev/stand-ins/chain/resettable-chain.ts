import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createChain } from './chain.ts';
import type { Chain, ChainOptions } from './chain.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

export interface ResettableChain extends Chain {
  /** Starts over with an empty ledger and the same genesis accounts. */
  reset(): void;
}

/**
 * Opens a chain for tests that need hundreds of them in one process. Keeps one ledger at a time below
 * `dataDir`.
 */
export function createResettableChain(options: ChainOptions & { seed: string }): ResettableChain {
  let count = 0;
  const open = () => createChain({ ...options, dataDir: join(options.dataDir, String(count)) });
  let current = open();
  const reset = () => {
    current.close();
    rmSync(join(options.dataDir, String(count)), { recursive: true, force: true });
    count += 1;
    current = open();
    // Collect explicitly. Each runtime holds 8 MB outside the heap, which doesn't trigger garbage
    // collection by itself.
    collectGarbage();
  };
  return new Proxy({} as ResettableChain, {
    get: (_, name) => (name === 'reset' ? reset : (Reflect.get(current, name) as unknown)),
  });
}
