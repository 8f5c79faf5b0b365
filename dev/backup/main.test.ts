import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findLocalBucket, readFlags } from './restore-flags.ts';
import { root } from '../settings.ts';

const full = mkdtempSync(join(tmpdir(), 'solcallers-full-'));
mkdirSync(join(full, 'v3/d1'), { recursive: true });
const LATEST = ['--from', 'latest'];

it.each([
  [[], 'Name a day: --from 2026-11-22, or --from latest.'],
  [['--help'], "Unknown option '--help'"],
  [[...LATEST, '--env', 'moon'], 'There is no environment moon.'],
  [[...LATEST, '--into', full], `${full} already has a database.`],
])('npm run restore refuses the flags %j', (flags, message) => {
  expect(() => readFlags(flags)).toThrow(message);
});

it('npm run restore prints the mistake and its usage instead of a stack trace', () => {
  const { status, stderr } = spawnSync(process.execPath, ['dev/backup/main.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Name a day: --from[^\n]*\n\nUsage: npm run restore/);
  expect(stderr).not.toMatch(/^\s+at /m);
});

it('npm run restore refuses to read the local bucket while the product runs', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const found = findLocalBucket({ PORT: String(port) });
  await expect(found).rejects.toThrow(`Stop what runs on port ${port} first: it writes to the bucket.`);
  server.close();
});
