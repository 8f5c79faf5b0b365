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

/** The neighbourhoods of modules, from the lowest to the highest. */
const FLOORS = ['log', 'money', 'people', 'market', 'public', 'messages', 'running'] as const;

type Floor = (typeof FLOORS)[number];

/** @param depth number of folders between the file and `worker/modules` */
function onlyDownwards(floor: Floor, depth: number): ImportRule[] {
  const higher = FLOORS.slice(FLOORS.indexOf(floor) + 1);
  if (higher.length === 0) return [];
  const forbid = higher.map((other) => [
    `^${String.raw`\.\./`.repeat(depth)}${other}/`,
    `${'../'.repeat(depth)}${other}/planted.ts`,
  ]);
  return [
    {
      message: 'Modules import their own floor and lower ones. Upwards they declare a port.',
      forbid: Object.fromEntries(forbid) as Record<string, string>,
    },
  ];
}

const roleAreas: readonly ImportArea[] = FLOORS.flatMap((floor) => {
  // The log is one module. The other neighbourhoods have a folder for each module.
  const [folder, depth] = floor === 'log' ? [`worker/modules/log`, 1] : [`worker/modules/${floor}/*`, 2];
  const everyFile = [noPage, noRenderer, noAdapters, noWiring, noJobs, ...onlyDownwards(floor, depth)];
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
const wiringAreas: readonly ImportArea[] = FLOORS.map((floor) => ({
  files: [`worker/modules/${floor}/*.module.ts`],
  rules: [noPage, noRenderer, noWiring, noJobs, noSql, noHttp, noOtherWiring, ...onlyDownwards(floor, 1)],
}));

export const moduleAreas: readonly ImportArea[] = [...roleAreas, ...wiringAreas];
