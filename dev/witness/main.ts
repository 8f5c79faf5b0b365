import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { serve } from '@hono/node-server';
import { openWitness } from './witness.ts';
import { createWitnessRoutes } from './witness-routes.ts';

// Runs a witness of a log (docs/SEALED-CALLS.md).

const USAGE = `npm run witness -- --log https://solcallers.example --name witness.example/solcallers [options]

  --log       the log's site; its key is stored at the first start, and another one is refused later
  --log-key   the log's verifier key; default: what the site serves at /log/key
  --name      the witness's name, like a URL without its scheme
  --key       a file with the witness's secret; it is created if it doesn't exist. Default: {data}/key
  --data      the folder for what the witness has signed. Default: .local/witness
  --port      default: 8790
  --host      default: 127.0.0.1
`;

const { values } = parseArgs({
  options: {
    log: { type: 'string' },
    'log-key': { type: 'string' },
    name: { type: 'string' },
    key: { type: 'string' },
    data: { type: 'string', default: '.local/witness' },
    port: { type: 'string', default: '8790' },
    host: { type: 'string', default: '127.0.0.1' },
  },
});

try {
  const { log, name, data, host } = values;
  if (log === undefined || name === undefined || !/^[^\s+]+$/.test(name)) throw new Error(USAGE);
  const logKey = await readLogKey({ log, data, given: values['log-key'] });
  const file = join(data, 'witness.json');
  const seed = readSecret(values.key ?? join(data, 'key'));
  const witness = openWitness({ name, seed, logKeys: [logKey], file, now: () => Date.now() });
  serve(
    { fetch: createWitnessRoutes(witness).fetch, port: Number(values.port), hostname: host },
    ({ port }) => {
      console.log(`The witness of ${logKey.split('+', 1)[0]} listens at http://${host}:${port}`);
      console.log(`Its verifier key: ${witness.verifierKey}`);
    },
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

interface LogKeySource {
  readonly log: string;
  readonly data: string;
  readonly given: string | undefined;
}

/** @throws Error if the log's key differs from the key of the first start */
async function readLogKey({ log, data, given }: LogKeySource): Promise<string> {
  const file = join(data, 'log-key');
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
  const key = (given ?? known ?? (await fetchKey(log))).trim();
  if (known !== null && known !== key) {
    throw new Error(`The log's key was ${known}. Use another --data for another key.`);
  }
  mkdirSync(data, { recursive: true });
  writeFileSync(file, `${key}\n`);
  return key;
}

async function fetchKey(log: string): Promise<string> {
  const response = await fetch(new URL('/log/key', log));
  if (!response.ok) throw new Error(`${response.url} responded with ${response.status}`);
  return response.text();
}

/** Reads the seed. Creates it if there is none. */
function readSecret(file: string): Buffer {
  if (!existsSync(file)) {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  }
  const seed = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64');
  if (seed.length !== 32) throw new Error(`${file} doesn't have 32 bytes in base64.`);
  return seed;
}
