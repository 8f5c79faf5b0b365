import { TESTS, type ImportArea, type ImportRule } from './import-area.ts';
import { noAdapters, noHttp, noJobs, noPage, noRenderer, noSql, noWiring } from './worker-rules.ts';

/** The parts of a module, and what each may not know. */
const ROLES: readonly { readonly role: string; readonly rules: readonly ImportRule[] }[] = [
  {
    role: 'routes',
    rules: [
      {
        message: 'A route validates, authorises, calls one service and responds.',
        forbid: {
          '\\.repository\\.ts$': './calls.repository.ts',
          '(^|/)tables/': '#schema/tables/calls.ts',
          '^drizzle': 'drizzle-orm',
          '(^|/)rules/': '#schema/rules/money/lamports.ts',
        },
      },
    ],
  },
  { role: 'service', rules: [noSql, noHttp] },
  { role: 'repository', rules: [noHttp] },
];

const sibling = (depth: 1 | 2): ImportRule => ({
  message:
    "A module imports no other module's code: name the functions that it needs and let the wiring pass them in.",
  typesAreFine: true,
  forbid: {
    '^\\.\\./[^.]': '../callers/callers.service.ts',
    ...(depth === 2 && { '^\\.\\./\\.\\./[^.]': '../../log/log.service.ts' }),
    '(^#worker|\\.\\.)/modules/': '#worker/modules/log/log.service.ts',
  },
});

const MODULE_FOLDERS = [
  ['worker/modules/*/*', 2],
  ['worker/modules/log', 1],
] as const;

const roleAreas: readonly ImportArea[] = MODULE_FOLDERS.flatMap(([folder, depth]) => {
  const everyFile = [noPage, noRenderer, noAdapters, noWiring, noJobs, sibling(depth)];
  const byRole = ROLES.map(({ role, rules }) => ({
    files: [`${folder}/*.${role}.ts`],
    rules: [...everyFile, ...rules],
  }));
  return [
    ...byRole,
    {
      files: [`${folder}/*`],
      except: [...TESTS, ...ROLES.map(({ role }) => `**/*.${role}.ts`), '**/*.module.ts'],
      rules: everyFile,
    },
  ];
});

const noOtherWiring: ImportRule = {
  message: 'Only services.ts connects neighbourhoods.',
  forbid: { '^\\.\\./.*\\.module\\.ts$': '../money/money.module.ts' },
};

/** The wiring of a neighbourhood. */
const wiringAreas: readonly ImportArea[] = [
  {
    files: ['worker/modules/*/*.module.ts'],
    rules: [noPage, noRenderer, noWiring, noJobs, noSql, noHttp, sibling(1), noOtherWiring],
  },
];

export const moduleAreas: readonly ImportArea[] = [...roleAreas, ...wiringAreas];
