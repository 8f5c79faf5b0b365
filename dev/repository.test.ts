import { execFileSync } from 'node:child_process';
import { openSync, readSync, closeSync, statSync } from 'node:fs';
import { expect, it } from 'vitest';

const MAX_BINARY_BYTES = 300_000;
const FOLDERS_OF_BINARIES = ['worker/modules/shares/fonts/', 'worker/modules/shares/reference/'];

/** Git treats a file with a NUL byte in its first 8,000 bytes as binary. */
function isBinary(path: string): boolean {
  const start = Buffer.alloc(8_000);
  const file = openSync(path, 'r');
  const length = readSync(file, start);
  closeSync(file);
  return start.subarray(0, length).includes(0);
}

it('the repository has no binary over 300 kB except fonts and reference pictures', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0').filter(Boolean);
  const isLarge = (path: string) => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MAX_BINARY_BYTES;
  const unexpected = tracked.filter(
    (path) =>
      isLarge(path) && isBinary(path) && !FOLDERS_OF_BINARIES.some((folder) => path.startsWith(folder)),
  );
  expect(unexpected).toEqual([]);
});
