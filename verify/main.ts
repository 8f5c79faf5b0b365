import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Target, Verdict } from './options.ts';
import { fetchPatiently } from './patient-fetch.ts';
import { createCallRpc } from './rpc.ts';
import { SORTS } from './sorts.ts';
import type { Store } from './store.ts';
import { verify } from './verify.ts';

// `npm run verify -- amara_calls` verifies a caller. The exit code is 0 if Solana confirms the record, 1 if anything is
// wrong, 2 if nothing is wrong but not everything is confirmed, and 64 if the arguments are invalid. See
// docs/SEALED-CALLS.md.

/** Invalid arguments. The message is for the person who typed them. */
class UsageError extends Error {}
const INVALID_ARGUMENTS = 64;

const ENDINGS = {
  verified: 'Confirmed.',
  unconfirmed: 'Not confirmed.',
  failed: 'Wrong.',
  untrusted: 'Not confirmed: use --yes to trust the new key.',
  unavailable: 'Not confirmed: the check couldn’t be finished.',
  later: 'Not confirmed: the site’s data is newer than its published log. Try again in some minutes.',
};

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        origin: { type: 'string', default: `http://localhost:${process.env['PORT'] ?? 8787}` },
        leaderboard: { type: 'string' },
        all: { type: 'boolean', default: false },
        key: { type: 'string' },
        wallet: { type: 'string' },
        rpc: { type: 'string' },
        witness: { type: 'string', multiple: true, default: [] },
        state: { type: 'string' },
        yes: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function targetOf({ values: { all, leaderboard }, positionals }: ReturnType<typeof readOptions>): Target {
  const [handle] = positionals;
  if (positionals.length + Number(all) + Number(leaderboard !== undefined) !== 1) {
    throw new UsageError('Name one caller, such as amara_calls, or use --leaderboard or --all.');
  }
  if (handle !== undefined) return { kind: 'caller', handle: handle.replace(/^@/, '') };
  if (leaderboard === undefined) return { kind: 'all' };
  if (leaderboard === 'afterFee') {
    throw new UsageError('The order afterFee can’t be checked: fees and SOL’s price now aren’t in the log.');
  }
  const sort = SORTS.find((name) => name === leaderboard);
  if (sort === undefined) throw new UsageError(`--leaderboard needs one of ${SORTS.join(', ')}.`);
  const path = sort === SORTS[0] ? '/api/callers' : `/api/callers?sort=${sort}`;
  return { kind: 'leaderboard', sort, order: 'desc', paths: [path] };
}

const createFolderStore = (folder: string): Store => ({
  async read(name) {
    try {
      return readFileSync(join(folder, name));
    } catch {
      return null;
    }
  },
  async write(name, bytes) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), bytes);
  },
});

/** Prints a line without control characters, because the site's texts could overwrite other lines. */
const printLine = (line: string) => console.log(line.replaceAll(/\p{C}/gu, '\uFFFD'));

function print({ headlines, failures, checked, notes, key, wallet, outcome }: Verdict): void {
  for (const { reason, meaning, message } of failures) {
    printLine(`✗ ${meaning}`);
    printLine(`  ${message} [${reason}]`);
  }
  for (const line of headlines) printLine(line);
  for (const line of checked) printLine(`${outcome === 'verified' ? '✓' : '–'} ${line}.`);
  for (const line of notes) printLine(`– ${line}`);
  if (key !== null) {
    printLine(`Key: ${key}`);
    printLine(`Anchor wallet: ${wallet}`);
  }
  console.log(ENDINGS[outcome]);
}

async function run(): Promise<number> {
  const options = readOptions();
  const { origin, key, wallet, rpc, state, witness, yes } = options.values;
  if (!/^https?:/.test(origin) || !URL.canParse(origin)) {
    throw new UsageError(`--origin must be a site, such as https://example.com, not ${origin}.`);
  }
  const verdict = await verify({
    target: targetOf(options),
    get: (path) => fetchPatiently(new URL(path, origin)),
    store: createFolderStore(state ?? join('.local/verify', new URL(origin).host.replace(':', '-'))),
    callRpc: rpc === undefined ? null : createCallRpc(rpc),
    known: { ...(key !== undefined && { key }), ...(wallet !== undefined && { wallet }) },
    witnesses: witness,
    now: Date.now(),
    onProgress: () => undefined,
    isNewKeyTrusted: yes,
  });
  print(verdict);
  if (verdict.outcome === 'verified') return 0;
  return verdict.outcome === 'failed' ? 1 : 2;
}

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = INVALID_ARGUMENTS;
}
