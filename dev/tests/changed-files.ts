import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../settings.ts';

export interface Changes {
  /** The commit of `origin/main` that this branch began at. */
  readonly since: string;
  /** Paths from the repository's root, with untracked files and without deleted ones. */
  readonly files: readonly string[];
}

/** Lists the files that differ from `origin/main`. Null without git or without that branch. */
export function listChanges(): Changes | null {
  const since = git('merge-base', 'HEAD', 'origin/main');
  if (since === null) return null;
  const lists = [git('diff', '--name-only', since.trim()), git('ls-files', '--others', '--exclude-standard')];
  const files = lists.flatMap((list) => list?.split('\n') ?? []);
  return { since: since.trim(), files: files.filter((file) => file !== '' && existsSync(join(root, file))) };
}

function git(...args: readonly string[]): string | null {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout : null;
}
