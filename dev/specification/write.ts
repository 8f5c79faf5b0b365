import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../settings.ts';
import { composePage, listTaggedTests, readSections } from './specification.ts';

writeFileSync(join(root, 'docs/SPECIFICATION.md'), composePage(readSections(), listTaggedTests()));
