import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './settings.ts';

/** A home without wrangler's login. */
const home = mkdtempSync(join(tmpdir(), 'solcallers-home-'));
const full = mkdtempSync(join(tmpdir(), 'solcallers-full-'));
mkdirSync(join(full, 'v3/d1'), { recursive: true });
const LATEST = ['--from', 'latest'];

function run(script: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { CLOUDFLARE_API_TOKEN: _, ...own } = process.env;
  return spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', script, ...args], {
    cwd: root,
    encoding: 'utf8',
    env: { ...own, HOME: home, XDG_CONFIG_HOME: home, CI: 'true', ...env },
  });
}

describe('a command with a mistake', () => {
  it.each([
    ['deploy/run.ts', ['--foo'], "Unknown option '--foo'."],
    ['deploy/run.ts', [], 'Which environment?'],
    ['dev/restore.ts', [], 'Name a day: --from 2026-11-22, or --from latest.'],
    ['dev/restore.ts', ['--help'], "Unknown option '--help'"],
    ['dev/restore.ts', [...LATEST, '--env', 'moon'], 'There is no environment moon.'],
    ['dev/restore.ts', [...LATEST, '--into', full], `${full} already has a database.`],
    [
      'dev/restore.ts',
      [...LATEST, '--env', 'production', '--into', join(home, 'restored')],
      'Failed to start the remote proxy session.',
    ],
  ])('%s %j says so in plain words and prints its usage', (script, args, message) => {
    const { status, stderr } = run(script, args);
    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).toContain('Usage: npm run ');
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('restore refuses to read the local bucket while the product runs', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const { status, stderr } = run('dev/restore.ts', [...LATEST, '--into', join(home, 'local')], {
      PORT: String(port),
    });
    server.close();
    expect([status, stderr.split('\n')[0]]).toEqual([
      1,
      `Stop what runs on port ${port} first: it writes to the bucket.`,
    ]);
  });
});
