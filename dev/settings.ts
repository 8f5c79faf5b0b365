import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');

/** The local environment's ports and data folder. `readSettings` reads them from environment variables. */
export interface Settings {
  readonly port: number;
  readonly solanaPort: number;
  readonly standInsPort: number;
  /** The folder for everything kept between starts. */
  readonly dataDir: string;
  readonly productUrl: string;
}

/** @throws Error that names the variable with an invalid port */
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

/** The folder that `wrangler dev --persist-to` gets. */
export const stateDirOf = ({ dataDir }: Pick<Settings, 'dataDir'>): string => `${dataDir}/state`;

function readPort(env: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = env[name];
  const port = text === undefined || text === '' ? fallback : Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_534) {
    throw new Error(`${name} must be a port number, not "${text}".`);
  }
  return port;
}
