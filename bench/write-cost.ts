// Writes the computed costs into docs/SCALE.md and docs/DEPLOY.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#dev/settings.ts';
import { describeCost, measuredFrom } from './cost.ts';
import { replaceGenerated } from './markdown.ts';
import { describeMonthlyCost } from './monthly-cost.ts';
import { readResults } from './results.ts';

export function writeCost(): void {
  const measured = measuredFrom(readResults());
  const pages = { 'docs/SCALE.md': describeCost(measured), 'docs/DEPLOY.md': describeMonthlyCost(measured) };
  for (const [page, text] of Object.entries(pages)) {
    const file = join(root, page);
    writeFileSync(file, replaceGenerated(readFileSync(file, 'utf8'), { name: 'cost', text }));
  }
}

if (import.meta.main) writeCost();
