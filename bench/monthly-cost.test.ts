import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '#dev/settings.ts';
import { measuredFrom } from './cost.ts';
import { describeMonthlyCost } from './monthly-cost.ts';
import { readResults } from './results.ts';

const text = describeMonthlyCost(measuredFrom(readResults()));
const columns = text
  .split('\n')
  .slice(2)
  .map((line) => line.split('|').slice(2, -1))
  .map((cells) => cells.map((cell) => Number(cell.replace(/[*,\s]/g, ''))));

describe('the cost of a month', () => {
  it('is in docs/DEPLOY.md as it is computed (update it with node bench/write-cost.ts)', () => {
    expect(readFileSync(join(root, 'docs/DEPLOY.md'), 'utf8')).toContain(text);
  });

  it('adds up, to within the rounding of its lines', () => {
    const [total = [], ...lines] = columns.toReversed();
    expect(total).toHaveLength(3);
    total.forEach((sum, index) => {
      const added = lines.reduce((all, line) => all + (line[index] ?? 0), 0);
      expect(Math.abs(sum - added)).toBeLessThanOrEqual(lines.length / 2);
    });
  });
});
