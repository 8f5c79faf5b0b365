import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '#dev/settings.ts';

/** A temporary copy of the project. */
export interface ProjectCopy {
  readonly root: string;
  /** Replaces the first match in a file, which must have one. */
  edit(file: string, pattern: RegExp, replacement: string): void;
  /** Runs `npm run migrations` with these arguments. @throws with the output if it fails */
  writeMigrations(...args: readonly string[]): string;
  /** The SQL of all migrations, by name. */
  readMigrations(): Readonly<Record<string, string>>;
  delete(): void;
}

/** @param paths the files and folders to copy, beside those that write migrations */
export function copyProject(paths: readonly string[] = []): ProjectCopy {
  const copy = mkdtempSync(join(tmpdir(), 'solcallers-copy-'));
  const migrations = join(copy, 'schema/migrations');
  for (const path of ['package.json', 'package-lock.json', 'schema', 'dev', 'worker', ...paths]) {
    cpSync(join(root, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return {
    root: copy,
    edit(file, pattern, replacement) {
      const path = join(copy, file);
      const before = readFileSync(path, 'utf8');
      if (!pattern.test(before)) throw new Error(`${file} does not contain ${String(pattern)}`);
      writeFileSync(path, before.replace(pattern, replacement));
    },
    writeMigrations(...args) {
      const command = ['--disable-warning=ExperimentalWarning', 'dev/build/write-migrations.ts', ...args];
      return execFileSync(process.execPath, command, { cwd: copy, encoding: 'utf8', stdio: 'pipe' });
    },
    readMigrations() {
      const names = readdirSync(migrations).filter((name) => name.endsWith('.sql'));
      return Object.fromEntries(
        names.toSorted().map((name) => [name, readFileSync(join(migrations, name), 'utf8')]),
      );
    },
    delete: () => rmSync(copy, { recursive: true, force: true }),
  };
}

/** A copy of the project without migrations, as before the first release. */
export function copyUnreleased(): ProjectCopy {
  const unreleased = copyProject(['deploy']);
  const folder = join(unreleased.root, 'schema/migrations');
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  return unreleased;
}
