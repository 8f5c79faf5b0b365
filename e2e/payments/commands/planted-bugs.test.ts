import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '#dev/settings.ts';
import { plantedBugs } from '../planted-bugs.ts';

describe('the planted bugs', () => {
  it.each(plantedBugs.map((bug) => [bug.name, bug] as const))(
    '%s: can be planted, in one place',
    (_name, { file, text, replacement }) => {
      expect(readFileSync(join(root, file), 'utf8').split(text)).toHaveLength(2);
      expect(replacement).not.toBe(text);
    },
  );

  it('are twenty, each another one', () => {
    expect(new Set(plantedBugs.map(({ file, text }) => file + text)).size).toBe(20);
    expect(new Set(plantedBugs.map(({ name }) => name)).size).toBe(20);
  });
});
