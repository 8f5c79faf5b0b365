import { keysOf } from '#schema/rules/typed-keys.ts';
import { callColumnsWith, calls } from '#schema/tables/calls.ts';
import { shownTextOfCall } from '../../log/hidden-texts.repository.ts';
import { columnsOf } from '../../../shared/rows.ts';

const shown = callColumnsWith<{ shown: 'same' | 'computed' }>((facts) => facts.shown !== undefined);
type Shown = typeof shown;
const columnNames: readonly Shown[keyof Shown][] = Object.values(shown);

/** Texts of a call are HIDDEN_TEXT if operators have hidden its thesis. */
const texts = Object.fromEntries(
  Object.values<string>(callColumnsWith(({ treatment }) => treatment === 'erase')).map((name) => [
    name,
    shownTextOfCall({ kind: 'thesis', id: 'k.id', text: `k.${name}` }),
  ]),
);

/** The columns of a call that every viewer with access to it sees. The query must name the table `calls` as `k`. */
export const callColumns = columnsOf(calls, 'k', columnNames, texts);

/** The same columns by their keys. */
export const messageColumns = columnsOf(calls, 'k', keysOf<keyof Shown>(shown), texts);
