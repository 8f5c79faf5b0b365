import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../settings.ts';

/** Starts the installed wrangler without its requests to Cloudflare and its own traces. */
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
      // Don't store a trace of every request, because they aren't read.
      X_LOCAL_OBSERVABILITY: 'false',
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_LOG_SANITIZE: 'true',
      NO_UPDATE_NOTIFIER: '1',
    },
  });
}
