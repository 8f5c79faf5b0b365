import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../settings.ts';
import { hasPython } from './has-python.ts';

const POLL_SECONDS = 0.5;

test.each(['bot.ts', 'bot.py'])(
  '%s waits its usual time if Retry-After is a date or zero',
  async (file) => {
    const isPython = file.endsWith('.py');
    if (isPython && !hasPython()) return;
    const arrivals: number[] = [];
    const server = createServer((_, response) => {
      arrivals.push(Date.now());
      const retryAfter = arrivals.length % 2 === 0 ? '0' : new Date(Date.now() + 1_000).toUTCString();
      response.writeHead(503, { 'Retry-After': retryAfter }).end('Down');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It listens on a port.
    const { port } = server.address() as AddressInfo;
    const env = {
      ...process.env,
      SOLCALLERS_URL: `http://127.0.0.1:${port}`,
      SOLCALLERS_KEY: 'sc_key',
      HANDLE: 'bot',
      MINT: 'mint',
      POLL_SECONDS: String(POLL_SECONDS),
    };
    const bot = spawn(isPython ? 'python3' : process.execPath, [join(root, 'dev/examples', file)], { env });
    try {
      await expect.poll(() => arrivals.length, { timeout: 20_000 }).toBeGreaterThan(3);
      const waits = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? 0));
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(POLL_SECONDS * 1_000 - 50);
    } finally {
      bot.kill('SIGKILL');
      server.close();
      server.closeAllConnections();
    }
  },
  30_000,
);
