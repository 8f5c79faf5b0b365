import type { OxlintOverride } from 'oxlint';
import type { ImportArea, ImportRule } from './import-area.ts';
import { moduleAreas } from './module-imports.ts';
import { pageAreas } from './page-imports.ts';
import { schemaAreas, verifyAreas } from './schema-imports.ts';
import { toolAreas } from './tool-imports.ts';
import { outsideAreas, workerAreas } from './worker-imports.ts';

export const importAreas: readonly ImportArea[] = [
  ...schemaAreas,
  ...verifyAreas,
  ...outsideAreas,
  ...moduleAreas,
  ...workerAreas,
  ...pageAreas,
  ...toolAreas,
];

/** One override of oxlint for each area. */
export const importOverrides = importAreas.map(({ files, except = [], rules }): OxlintOverride => ({
  files: [...files],
  excludeFiles: [...except],
  rules: {
    // An import that a group accepts isn't compared with later patterns, so the groups come last.
    'no-restricted-imports': ['error', { patterns: [...rules.flatMap(regexes), ...rules.flatMap(groups)] }],
  },
}));

function regexes({ message, typesAreFine, forbid = {} }: ImportRule) {
  const allowTypeImports = typesAreFine === true;
  return Object.keys(forbid).map((regex) => ({ regex, message, allowTypeImports }));
}

function groups({ message, typesAreFine, only }: ImportRule) {
  if (!only) return [];
  const accepted = only.accepts.map((glob) => `!${glob}`);
  return [{ group: [only.within ?? '**', ...accepted], message, allowTypeImports: typesAreFine === true }];
}
