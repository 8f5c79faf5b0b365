import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { verifyRecord } from './record.ts';
import { Problem, type Verdict } from './report.ts';
import { createCallRpc, createSource, type Store } from './source.ts';
import { verifyWholeLog } from './whole-log.ts';

// `npm run verify -- amara_calls` checks a caller's record, `npm run verify -- --all` the whole log. The exit
// code is 1 if a check fails, and 2 if the check has to be repeated. See docs/SEALED-CALLS.md.

/** Invalid arguments. The message is for the person who typed them. */
class UsageError extends Error {}

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        origin: { type: 'string', default: `http://localhost:${process.env['PORT'] ?? 8787}` },
        key: { type: 'string' },
        rpc: { type: 'string' },
        state: { type: 'string' },
        receipt: { type: 'string' },
        witness: { type: 'string', multiple: true, default: [] },
        all: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

function hostOf(origin: string): string {
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) {
    throw new UsageError(`--origin must be a site, such as https://example.com, not ${origin}.`);
  }
  return new URL(origin).host;
}

/** Editors may change line ends, and may drop the last one. */
function readReceipt(path: string): string {
  try {
    return `${readFileSync(path, 'utf8').replaceAll('\r\n', '\n').trimEnd()}\n`;
  } catch {
    throw new UsageError(`The receipt ${path} can't be read.`);
  }
}

const createStore = (file: string): Store => ({
  read: () => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return null;
    }
  },
  write: (text) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  },
});

const createSiteSource = (origin: string) =>
  createSource(async (path) => {
    const unavailable = (why: string) => new Problem('unavailable', `${origin}${path} ${why}.`);
    const response = await fetch(new URL(path, origin)).catch((error: unknown) => {
      throw unavailable(`can't be reached (${String(error)})`);
    });
    if (!response.ok) throw unavailable(`answered ${response.status}`);
    return response;
  });

function conclude({ failures, isPostponed }: Verdict): [code: number, sentence: string] {
  if (failures.length === 1) return [1, '1 check failed.'];
  if (failures.length > 0) return [1, `${failures.length} checks failed.`];
  if (isPostponed) return [2, 'Not verified: figures were not compared. Try again in some minutes.'];
  return [0, 'Nothing is wrong.'];
}

async function run(): Promise<number> {
  const { values, positionals } = readOptions();
  const { origin, key, rpc, receipt } = values;
  const handle = positionals[0]?.replace(/^@/, '');
  if (positionals.length > 1 || values.all === (handle !== undefined)) {
    throw new UsageError('Name one caller, such as amara_calls, or use --all.');
  }
  const site = hostOf(origin).replace(':', '-');
  const options = {
    source: createSiteSource(origin),
    store: createStore(values.state ?? `.local/verify/${site}.json`),
    now: Date.now(),
    witnesses: values.witness,
    ...(key !== undefined && { pinnedKey: key }),
    ...(rpc !== undefined && { callRpc: createCallRpc(rpc) }),
    ...(receipt !== undefined && { receipt: readReceipt(receipt) }),
  };
  const verdict = await (handle === undefined
    ? verifyWholeLog(options)
    : verifyRecord({ ...options, handle }));
  const { checked, unchecked, failures } = verdict;
  for (const what of checked) console.log(`✓ ${what}.`);
  for (const { what, why } of unchecked) console.log(`– Not checked: ${what} (${why}).`);
  for (const { reason, message } of failures) console.log(`✗ ${message} [${reason}]`);
  if ('figures' in verdict && verdict.figures !== null) console.log(verdict.figures);
  const [code, sentence] = conclude(verdict);
  console.log(sentence);
  return code;
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
