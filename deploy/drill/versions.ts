import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { root } from '#dev/settings.ts';
import { readMigrations } from '../migrations/read-migrations.ts';

const git = (...args: readonly string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1024 ** 3 }).trim();

/** The commit before the newest migration was added. @throws Error in a clone without that commit */
export function commitBeforeNewestMigration(): string {
  const newest = readMigrations().at(-1)?.name ?? '';
  const added = git('log', '--diff-filter=A', '--format=%H', '-1', '--', `schema/migrations/${newest}`);
  if (added === '') throw new Error(`No commit adds ${newest}. Commit it, or fetch the whole history.`);
  return git('rev-parse', `${added}^`);
}

/** Copies the sources of a commit into a folder, and installs the packages of its own lock file there. */
export function checkOut(commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1024 ** 3 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  execFileSync(process.execPath, ['dev/bootstrap.mjs'], { cwd: folder, stdio: 'inherit' });
}

/** Other ports than those of `npm start` and of the browser tests. */
const PORTS = { PORT: '38787', SOLANA_PORT: '38899', STAND_INS_PORT: '38788' };
export const ORIGIN = `http://localhost:${PORTS.PORT}`;
export const SOLANA_URL = `http://127.0.0.1:${PORTS.SOLANA_PORT}`;

export interface RunningVersion {
  /** The lines of failed jobs and unexpected errors. */
  readonly errors: readonly string[];
  stop(): Promise<void>;
}

const ERROR_EVENTS = /"event":"(?:job\.failed|request\.failed|page\.failed|alarm)"|SQLITE_|D1_ERROR/;

/** Starts the product of a folder with its local world on the shared data. */
export async function startVersion(folder: string, dataDir: string): Promise<RunningVersion> {
  const child = spawn(process.execPath, ['dev/start.ts'], {
    cwd: folder,
    env: { ...process.env, ...PORTS, SOLCALLERS_DATA: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors: string[] = [];
  let lastWords = '';
  const note = (line: string) => ERROR_EVENTS.test(line) && errors.push(line);
  createInterface({ input: child.stderr }).on('line', (line) => {
    note(line);
    lastWords = `${lastWords}\n${line}`.slice(-2_000);
  });
  await new Promise<void>((resolve, reject) => {
    child.on('close', () => reject(new Error(`The product ended before it was ready:${lastWords}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      note(line);
      if (line.startsWith('SolCallers is at')) resolve();
    });
  });
  return { errors, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  child.removeAllListeners('close');
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
