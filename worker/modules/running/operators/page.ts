import type {
  OperatorsFact,
  OperatorsLink,
  OperatorsRow,
  OperatorsSection,
} from '#schema/contracts/operators.ts';
import { formatSol } from '#schema/rules/money/lamports.ts';

export const sol = (lamports: bigint): string => `${formatSol(lamports)} SOL`;

/** A stack trace's first line. The logs have the whole. */
export const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

export const link = (to: OperatorsLink['to'], id: string, text: string): OperatorsLink => ({ to, id, text });

export const personLink = (id: string, handle: string) => link('person', id, `@${handle}`);

interface RowParts extends Partial<Pick<OperatorsRow, 'id' | 'links' | 'actions'>> {
  readonly title: string;
  readonly at?: number | null;
  /** Nulls and empty lines are left out. */
  readonly lines?: readonly (string | null)[];
}

/** The title and the time are the id by default. */
export function row({ title, at = null, lines = [], links = [], actions = [], id }: RowParts): OperatorsRow {
  const text = lines.filter(Boolean).join('\n');
  const time = at === null ? null : new Date(at).toISOString();
  return { id: id ?? `${title} ${time}`, title, at: time, text, links, actions };
}

/** A fact's name and value. */
export type Fact = readonly [name: string, value: OperatorsFact['value']];

interface SectionParts extends Partial<Omit<OperatorsSection, 'title' | 'facts'>> {
  readonly facts?: readonly Fact[];
}

export const section = (title: string, { facts = [], ...parts }: SectionParts): OperatorsSection => ({
  title,
  facts: facts.map(([name, value]) => ({ name, value })),
  rows: [],
  none: '',
  actions: [],
  problems: 0,
  ...parts,
});
