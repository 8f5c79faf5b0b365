import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ZodType } from 'zod';

export interface StoredJson<T> {
  /** Change it in place, then call `save` or `saveSoon`. */
  readonly value: T;
  save(): void;
  /** Saves after a short pause, so that many changes cause only one write. */
  saveSoon(): void;
  flush(): void;
}

const SAVE_PAUSE_MS = 200;
/**
 * The pause before a save, as a multiple of the last save's duration. This keeps the cost of saving large files
 * low.
 */
const PAUSE_PER_SAVE = 20;

interface StoredJsonOptions<T> {
  file: string;
  schema: ZodType<T>;
  initial: T;
}

/**
 * Opens a JSON file, or starts with `initial`. Saving writes a new file and renames it, so a crash leaves the
 * old or the new state.
 */
export function openStoredJson<T>({ file, schema, initial }: StoredJsonOptions<T>): StoredJson<T> {
  const value = read({ file, schema }) ?? initial;
  let waiting: NodeJS.Timeout | undefined;
  let pause = SAVE_PAUSE_MS;

  function save(): void {
    clearTimeout(waiting);
    waiting = undefined;
    const startedAt = performance.now();
    mkdirSync(dirname(file), { recursive: true });
    const draft = `${file}.${process.pid}.tmp`;
    writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`);
    renameSync(draft, file);
    pause = Math.max(SAVE_PAUSE_MS, (performance.now() - startedAt) * PAUSE_PER_SAVE);
  }

  return {
    value,
    save,
    saveSoon() {
      waiting ??= setTimeout(save, pause).unref();
    },
    flush() {
      if (waiting !== undefined) save();
    },
  };
}

function read<T>({ file, schema }: { file: string; schema: ZodType<T> }): T | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${file} is damaged. Run "npm run reset" to start over.`, {
      cause,
    });
  }
}
