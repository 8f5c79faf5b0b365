import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createChain } from './chain.ts';
import type { Chain, ChainOptions } from './chain.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A chain in whose place an empty one can be put. */
export interface RenewableChain extends Chain {
  /** Begins the chain anew, at the time it is now, with the same genesis. */
  renew(): void;
}

/** Opens a chain for tests that want hundreds of them in one process. Its ledgers are kept below `dataDir` one at a time. */
export function createRenewableChain(options: ChainOptions & { seed: string }): RenewableChain {
  let count = 0;
  const open = () => createChain({ ...options, dataDir: join(options.dataDir, String(count)) });
  let current = open();
  const renew = () => {
    current.close();
    rmSync(join(options.dataDir, String(count)), { recursive: true, force: true });
    count += 1;
    current = open();
    // A runtime is eight megabytes outside the heap, of which the collector knows nothing.
    collectGarbage();
  };
  return new Proxy({} as RenewableChain, {
    get: (_, name) => (name === 'renew' ? renew : (Reflect.get(current, name) as unknown)),
  });
}
