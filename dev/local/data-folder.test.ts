import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fillDataFolder, isFilled, lockDataFolder } from './data-folder.ts';
import { root } from '../settings.ts';

let dataDir: string;
let unlock: () => void;

beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'solcallers-data-')), 'main');
  unlock = lockDataFolder(dataDir);
});
afterEach(() => unlock());

const lockInOtherProcess = (end: string) =>
  execFileSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `const { lockDataFolder } = await import('./dev/local/data-folder.ts');
       try { lockDataFolder(process.argv[1]); console.log(process.pid); } catch (error) { console.log(error.message); }
       ${end}`,
      dataDir,
    ],
    { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  ).trim();

test('lockDataFolder’s error for a second process has the folder and the first process’s id', () => {
  expect(lockInOtherProcess('')).toBe(
    `SolCallers already runs with the data in ${dataDir} (process ${process.pid}). ` +
      'Stop it, or choose another folder: SOLCALLERS_DATA=<folder> npm start',
  );
});

test('a data folder can be locked again after the first process has released it', () => {
  unlock();
  expect(Number(lockInOtherProcess(''))).toBeGreaterThan(0);
});

test('a data folder can be locked again after the first process was killed', () => {
  unlock();
  expect(() => lockInOtherProcess("process.kill(process.pid, 'SIGKILL');")).toThrow();
  expect(Number(readFileSync(join(dataDir, 'lock.pid'), 'utf8'))).not.toBe(process.pid);
  unlock = lockDataFolder(dataDir);
  expect(readFileSync(join(dataDir, 'lock.pid'), 'utf8')).toBe(String(process.pid));
});

describe('fillDataFolder', () => {
  const write = (name: string) => (folder: string) => {
    mkdirSync(join(folder, 'chain'));
    writeFileSync(join(folder, 'chain', name), '');
    return Promise.resolve();
  };

  test('fillDataFolder replaces the data of another version', async () => {
    expect(isFilled(dataDir, 'one')).toBe(false);
    await fillDataFolder({ dataDir, version: 'one', fill: write('first') });
    expect([isFilled(dataDir, 'one'), isFilled(dataDir, 'two')]).toEqual([true, false]);
    await fillDataFolder({ dataDir, version: 'two', fill: write('second') });
    expect(isFilled(dataDir, 'two')).toBe(true);
    expect(readdirSync(join(dataDir, 'chain'))).toEqual(['second']);
  });

  test('fillDataFolder starts over after an interruption', async () => {
    const failing = async (folder: string) => {
      await write('half')(folder);
      throw new Error('killed');
    };
    await expect(fillDataFolder({ dataDir, version: 'one', fill: failing })).rejects.toThrow('killed');
    mkdirSync(join(dataDir, 'chain'));
    writeFileSync(join(dataDir, 'chain/moved'), '');
    expect(isFilled(dataDir, 'one')).toBe(false);
    await fillDataFolder({ dataDir, version: 'one', fill: write('whole') });
    expect(isFilled(dataDir, 'one')).toBe(true);
    expect(readdirSync(dataDir).filter((name) => !name.startsWith('lock'))).toEqual(['chain', 'complete']);
    expect(readdirSync(join(dataDir, 'chain'))).toEqual(['whole']);
  });

  test('a data folder counts as unfilled after its replacement was interrupted', async () => {
    await fillDataFolder({ dataDir, version: 'one', fill: write('first') });
    const interrupted = () => {
      expect(existsSync(join(dataDir, 'complete'))).toBe(false);
      throw new Error('killed');
    };
    await expect(fillDataFolder({ dataDir, version: 'two', fill: interrupted })).rejects.toThrow('killed');
    expect([isFilled(dataDir, 'one'), isFilled(dataDir, 'two')]).toEqual([false, false]);
  });
});
