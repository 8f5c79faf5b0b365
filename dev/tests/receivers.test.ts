import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { root } from '../settings.ts';
import { hasPython } from './has-python.ts';
import { hashToUnit } from '../stand-ins/market/noise.ts';

const KEY = Buffer.from('a secret of the receivers');
const SECRET = `whsec_${KEY.toString('base64')}`;
const RECEIVERS = [
  ['webhook-receiver.ts', process.execPath, 18_701],
  ['webhook_receiver.py', 'python3', 18_702],
] as const;

interface Delivery {
  readonly id: string;
  readonly body: string;
  /** Ends the connection before the whole body is sent. */
  readonly isCut?: boolean;
}

/** Sends a signed message. Resolves to the status; 0 if the connection ended first. */
async function deliver(port: number, { id, body, isCut = false }: Delivery, key = KEY): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const headers = {
    'Content-Length': Buffer.byteLength(body),
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
  const { promise, resolve } = Promise.withResolvers<number>();
  const sent = request({ host: '127.0.0.1', port, method: 'POST', headers }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  sent.on('error', () => resolve(0));
  if (isCut) sent.write(body.slice(0, body.length / 2), () => sent.destroy());
  else sent.end(body);
  return promise;
}

for (const [file, command, port] of RECEIVERS) {
  test.skipIf(command === 'python3' && !hasPython())(
    `${file} prints each message once in 1,000 shuffled, repeated and delayed deliveries with a restart in the middle`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'receiver-'));
      let output = '';
      const start = async () => {
        const env = { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port) };
        const program = spawn(command, [join(root, 'dev/examples', file)], { cwd: folder, env });
        program.stdout.on('data', (chunk: Buffer) => void (output += chunk.toString()));
        program.stderr.on('data', (chunk: Buffer) => void (output += chunk.toString()));
        while ((await deliver(port, { id: 'no', body: 'no', isCut: false }, Buffer.from('other'))) === 0) {
          await pause(20);
        }
        return program;
      };
      // Later messages of a call have lower versions here, as a retried update has after the call's end.
      const messages = Array.from({ length: 250 }, (_, number) => ({
        id: `message-${number}`,
        body: JSON.stringify({ type: 'call.updated', data: { id: 'call', version: 999 - number, number } }),
      }));
      const deliveries = Array.from({ length: 4 }, (_, round) =>
        messages.map((message, at) => ({
          ...message,
          isCut: round > 0 && hashToUnit(`cut ${round} ${at}`) < 0.1,
          order: hashToUnit(`order ${round} ${at}`),
        })),
      )
        .flat()
        .toSorted((one, other) => one.order - other.order);
      const isDelivered = new Set<string>();
      const deliverAll = async (part: typeof deliveries) => {
        for (let at = 0; at < part.length; at += 10) {
          const batch = part.slice(at, at + 10);
          const statuses = await Promise.all(batch.map((each) => deliver(port, each)));
          batch.forEach(({ id }, index) => statuses[index] === 204 && isDelivered.add(id));
        }
      };
      const first = await start();
      await deliverAll(deliveries.slice(0, 500));
      first.kill('SIGKILL');
      await once(first, 'exit');
      const second = await start();
      try {
        await deliverAll(deliveries.slice(500));
        expect(isDelivered.size).toBe(messages.length);
        await expect.poll(() => output.split('\n').length).toBe(messages.length + 1);
        const printed = [...output.matchAll(/"number": ?(\d+)/g)].map(([, number]) => Number(number));
        expect(printed.toSorted((one, other) => one - other)).toEqual(messages.map((_, number) => number));
      } finally {
        second.kill('SIGKILL');
      }
    },
  );
}
