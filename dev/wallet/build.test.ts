import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { buildLocalWallet } from './build.ts';

const folder = mkdtempSync(join(tmpdir(), 'local-wallet-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('buildLocalWallet writes a single ASCII script that contains the RPC address', async () => {
  const outFile = join(folder, 'wallet.js');
  await buildLocalWallet({ rpcUrl: 'http://127.0.0.1:12345', outFile });
  const script = readFileSync(outFile, 'utf8');
  expect(script).toContain('http://127.0.0.1:12345');
  expect(script).toContain('wallet-standard:register-wallet');
  expect(script).not.toMatch(/LOCAL_RPC_URL|^import |[^\0-\x7f]/m);
  expect(() => new Script(script)).not.toThrow();
});
