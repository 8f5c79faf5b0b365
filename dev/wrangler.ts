import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { root } from './settings.ts';

/** Starts the installed wrangler without its requests to Cloudflare. */
export function startWrangler(
  args: readonly string[],
  { stdio }: { stdio: 'inherit' | 'pipe' },
): ChildProcess {
  return spawn(process.execPath, [join(root, 'node_modules/wrangler/bin/wrangler.js'), ...args], {
    cwd: root,
    stdio: ['ignore', stdio, stdio],
    env: {
      ...process.env,
      CI: '1',
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_LOG_SANITIZE: 'true',
      NO_UPDATE_NOTIFIER: '1',
    },
  });
}

/** Runs wrangler and waits for it to exit. @throws Error with its output when it fails */
export async function runWrangler(args: readonly string[]): Promise<void> {
  const child = startWrangler(args, { stdio: 'pipe' });
  let output = '';
  child.stdout?.on('data', (chunk) => (output += String(chunk)));
  child.stderr?.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`wrangler ${args.slice(0, 3).join(' ')} failed:\n${output}`);
}
