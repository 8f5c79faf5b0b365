import type { Environment } from '#dev/environment.ts';
import type { Result } from './results.ts';
import type { BenchEnvironment } from './environment/open-environment.ts';

/** The options of `npm run bench`. */
export interface BenchOptions {
  readonly callers: number;
  readonly rounds: number;
  readonly minutes: number;
  /** Requests per second. */
  readonly rate: number;
  /** Percent of the third parties' responses that fail. */
  readonly faults: number;
  /** Requests per second of one more address. */
  readonly hammer: number;
  readonly seed: number;
  /** Only shows that the part runs. */
  readonly isTiny: boolean;
}

/** The product as `npm start` runs it, with sample data in a folder of its own. */
export interface LocalEnvironment {
  readonly environment: Environment;
  readonly dataDir: string;
  readonly productUrl: string;
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
