import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ZodType } from 'zod';

/** A small piece of state that outlives a restart. */
export interface StoredJson<T> {
  /** The state itself; change it in place, then call `save`. */
  readonly value: T;
  save(): void;
}

/**
 * Opens a JSON file, or begins with `initial` when there is none. Saving writes a new file and
 * renames it, so that a crash leaves the old state or the new one.
 */
export function openStoredJson<T>({ file, schema, initial }: { file: string; schema: ZodType<T>; initial: T }): StoredJson<T> {
  const value = read({ file, schema }) ?? initial;
  return {
    value,
    save() {
      mkdirSync(dirname(file), { recursive: true });
      const draft = `${file}.${process.pid}.tmp`;
      writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`);
      renameSync(draft, file);
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
    throw new Error(`${file} does not hold what the stand-ins wrote. Run "npm run reset" to begin anew.`, { cause });
  }
}
