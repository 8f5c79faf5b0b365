import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '#dev/settings.ts';

export class WranglerError extends Error {
  override readonly name = 'WranglerError';
  readonly output: string;

  constructor(args: readonly string[], output: string) {
    super(`wrangler ${args.slice(0, 3).join(' ')} failed:\n${output.trim()}`);
    this.output = output;
  }
}

export interface Wrangler {
  /** Runs a command and returns its standard output. @throws WranglerError with all output if it fails */
  run(...args: readonly string[]): Promise<string>;
  /** Runs a command and returns the records that it writes to WRANGLER_OUTPUT_FILE_PATH. */
  runForRecords(...args: readonly string[]): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Runs a command for this long, or until it ends, and returns its standard output. @throws as `run` */
  watch(milliseconds: number, ...args: readonly string[]): Promise<string>;
}

interface SpawnOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stopAfterMs?: number;
}

/** @param script the JavaScript file to run instead of the installed wrangler, for tests */
export function createWrangler(script = join(root, 'node_modules/wrangler/bin/wrangler.js')): Wrangler {
  const start = (args: readonly string[], options?: SpawnOptions) => runScript(script, args, options);
  return {
    run: (...args) => start(args),
    async runForRecords(...args) {
      const folder = mkdtempSync(join(tmpdir(), 'solcallers-deploy-'));
      const file = join(folder, 'output.ndjson');
      try {
        await start(args, { env: { WRANGLER_OUTPUT_FILE_PATH: file } });
        const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
        return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    watch: (stopAfterMs, ...args) => start(args, { stopAfterMs }),
  };
}

async function runScript(
  script: string,
  args: readonly string[],
  { env = {}, stopAfterMs }: SpawnOptions = {},
): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', NO_UPDATE_NOTIFIER: '1', ...env },
  });
  let [out, all] = ['', ''];
  child.stdout.on('data', (chunk) => {
    out += String(chunk);
    all += String(chunk);
  });
  child.stderr.on('data', (chunk) => (all += String(chunk)));
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    child.kill('SIGINT');
  };
  const timer = stopAfterMs === undefined ? undefined : setTimeout(stop, stopAfterMs);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  if (code !== 0 && !isStopped) throw new WranglerError(args, all);
  return out;
}
