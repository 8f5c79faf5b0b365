export interface RuntimeOptions {
  readonly port: number;
  readonly dataDir: string;
  /** The folder for D1, KV and Durable Objects. */
  readonly stateDir: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly solanaUrl: string;
}

export interface Runtime {
  /** Resolves when the runtime exits by itself. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}
