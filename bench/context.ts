import type { World } from '#dev/world.ts';
import type { Result } from './results.ts';
import type { BenchWorld } from './world/open-world.ts';

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
export interface LocalWorld {
  readonly world: World;
  readonly dataDir: string;
  readonly productUrl: string;
  close(): Promise<void>;
}

export interface Context {
  readonly options: BenchOptions;
  /** Builds the world with many callers. Parts share it. */
  openWorld(): Promise<BenchWorld>;
  /** Starts the local product. Parts share it. */
  openLocal(): Promise<LocalWorld>;
}

export type Part = (context: Context) => Promise<readonly Result[]>;
