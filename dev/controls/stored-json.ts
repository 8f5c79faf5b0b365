import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ZodType } from 'zod';

/** A small piece of state that outlives a restart. */
export interface StoredJson<T> {
  /** The state itself; change it in place, then call `save`. */
  readonly value: T;
  save(): void;
  /** Saves in a moment, once for all that changes until then: a file that grows is not written anew for every line. */
  saveSoon(): void;
  /** Saves now what is still to be saved. */
  flush(): void;
}

const SAVE_PAUSE_MS = 200;
/** Of all time, at most the so-manieth part goes into saving, however large the file is. */
const PAUSE_PER_SAVE = 20;

/**
 * Opens a JSON file, or begins with `initial` when there is none. Saving writes a new file and
 * renames it, so that a crash leaves the old state or the new one.
 */
export function openStoredJson<T>({
  file,
  schema,
  initial,
}: {
  file: string;
  schema: ZodType<T>;
  initial: T;
}): StoredJson<T> {
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
    throw new Error(`${file} does not hold what the stand-ins wrote. Run "npm run reset" to begin anew.`, {
      cause,
    });
  }
}
