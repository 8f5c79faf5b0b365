/** What a local runtime of the product needs. */
export interface RuntimeOptions {
  readonly port: number;
  readonly dataDir: string;
  /** Where D1 and KV are kept. */
  readonly stateDir: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly solanaUrl: string;
}

export interface Runtime {
  /** Resolves when it has ended by itself. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}
