import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/**
 * How long an idle connection to a stand-in lives. Node's own five seconds are as long as a client may pause, and
 * whoever asks at the moment of hanging up loses the question.
 */
export const KEEP_ALIVE_MS = 10 * 60_000;

/** Where the local world listens and keeps its data; each can be set by the variable of its name. */
export interface Settings {
  readonly port: number;
  readonly solanaPort: number;
  readonly standInsPort: number;
  /** The folder of everything that is kept between starts. */
  readonly dataDir: string;
  readonly productUrl: string;
}

/** @throws Error naming the variable that holds no port. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const port = readPort(env, 'PORT', 8787);
  return {
    port,
    solanaPort: readPort(env, 'SOLANA_PORT', 8899),
    standInsPort: readPort(env, 'STAND_INS_PORT', 8788),
    dataDir: env['SOLCALLERS_DATA'] ?? `${root}/.local/main`,
    productUrl: `http://localhost:${port}`,
  };
}

function readPort(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name];
  const port = text === undefined || text === '' ? fallback : Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_534) {
    throw new Error(`${name} must be a port number, not "${text}".`);
  }
  return port;
}
