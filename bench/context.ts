import type { Environment } from '#dev/local/environment.ts';
import type { Result } from './results.ts';
import type { BenchEnvironment } from './environment/open-environment.ts';

/** The options of `npm run bench`. */
export interface BenchOptions {
  readonly callers: number;
  readonly rounds: number;
  readonly minutes: number;
  /** Requests per second. */
  readonly rate: number;
  /** The percentage of the third parties' responses that fail. */
  readonly faults: number;
  /** Requests per second from additional addresses, in the second half of the time. */
  readonly hammer: number;
  /** The number of the additional addresses. */
  readonly addresses: number;
  readonly seed: number;
  /** True to check only that the part runs. */
  readonly isTiny: boolean;
}

/** The product as `npm start` runs it, with sample data in a separate folder. */
export interface LocalEnvironment {
  readonly environment: Environment;
  readonly dataDir: string;
  readonly productUrl: string;
  /** Starts the runtime again after it was killed. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface Context {
  readonly options: BenchOptions;
  /** Builds the environment with many callers. Parts share it. */
  openEnvironment(): Promise<BenchEnvironment>;
  /** Starts the local product. Parts share it. */
  openLocal(): Promise<LocalEnvironment>;
}

export type Part = (context: Context) => Promise<readonly Result[]>;
