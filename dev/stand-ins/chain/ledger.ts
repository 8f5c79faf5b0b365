import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const genesisSchema = z.object({
  kind: z.literal('genesis'),
  format: z.literal(1),
  /** Unix ms of slot 0. */
  at: z.number().int(),
  /** The length of the first slots. */
  slotMs: z.number().int().positive().default(400),
  /** Blockhashes, genesis hash and faucet key are derived from this hex number. */
  seed: z.string().regex(/^[0-9a-f]{64}$/),
});

const entrySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('transaction'),
    at: z.number().int(),
    signature: z.string(),
    raw: z.base64(),
  }),
  z.object({ kind: z.literal('expire-blockhash'), at: z.number().int() }),
  z.object({ kind: z.literal('slot-ms'), at: z.number().int(), slotMs: z.number().int().positive() }),
  z.object({ kind: z.literal('forget'), signatures: z.array(z.string()) }),
]);

export type Genesis = z.infer<typeof genesisSchema>;
export type LedgerEntry = z.infer<typeof entrySchema>;

/**
 * Drops each transaction that a later `forget` entry names. Keeps a transaction that was added again after that
 * entry.
 */
export function dropForgottenEntries(entries: readonly LedgerEntry[]): LedgerEntry[] {
  let included: LedgerEntry[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'forget') {
      included.push(entry);
      continue;
    }
    const forgotten = new Set(entry.signatures);
    included = included.filter((each) => each.kind !== 'transaction' || !forgotten.has(each.signature));
  }
  return included;
}

const FILE_NAME = 'ledger.jsonl';

/**
 * Splits the file into whole lines. Truncates an incomplete last line, so that appends start on a new line.
 */
function readWholeLines(file: string): string[] {
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end < bytes.length) truncateSync(file, end);
  return bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1);
}

function parseLine<T>(schema: z.ZodType<T>, line: string, number: number, file: string): T {
  try {
    return schema.parse(JSON.parse(line));
  } catch (cause) {
    throw new Error(`${file}:${number} is not a ledger entry. Run \`npm run reset\` to start over.`, {
      cause,
    });
  }
}

export type Ledger = ReturnType<typeof openLedger>;

/**
 * Opens or creates a chain's append-only ledger.
 * @param options.genesisAt unix ms of slot 0 of a new ledger; an existing ledger keeps its own
 * @param options.slotMs the length of a new ledger's slots
 * @param options.seed seed of a new ledger; by default random
 * @throws when a line can't be read, unless it is an incomplete last line
 */
export function openLedger(options: { dataDir: string; genesisAt: number; slotMs: number; seed?: string }) {
  mkdirSync(options.dataDir, { recursive: true });
  const file = join(options.dataDir, FILE_NAME);
  const [first, ...rest] = existsSync(file) ? readWholeLines(file) : [];
  const genesis: Genesis =
    first === undefined
      ? {
          kind: 'genesis',
          format: 1,
          at: options.genesisAt,
          slotMs: options.slotMs,
          seed: options.seed ?? randomBytes(32).toString('hex'),
        }
      : parseLine(genesisSchema, first, 1, file);
  const entries = rest.map((line, index) => parseLine(entrySchema, line, index + 2, file));

  const handle = openSync(file, 'a');
  let isOpen = true;
  const write = (value: unknown) => writeSync(handle, `${JSON.stringify(value)}\n`);
  if (first === undefined) write(genesis);
  return {
    genesis,
    /** The entries that were in the file when it was opened, oldest first. */
    entries,
    append: (entry: LedgerEntry) => void write(entry),
    close() {
      // Close only once. A second call could close another file that got the same descriptor.
      if (isOpen) closeSync(handle);
      isOpen = false;
    },
  };
}
