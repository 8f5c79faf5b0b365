import { describe, expect, it } from 'vitest';
import { describeRecord, runningReturn } from './caller-record.ts';
import { filterOf, hasFilters, readDirectorySearch, readMaxFee } from './directory-search.ts';

const defaults = { sort: 'avgReturn', order: 'desc', verified: false, paid: '', search: '  ', maxFee: '' };
const invalid = { sort: 'luck', order: 'up', maxFee: '-1', verified: 'yes', view: 'list', other: '1' };
it.each([
  ['default', { ...defaults, view: 'cards' }],
  ['invalid', invalid],
])('readDirectorySearch drops %s values', (_which, search) =>
  expect(readDirectorySearch(search)).toEqual({}),
);

it('readDirectorySearch returns values that differ from the defaults', () => {
  const search = {
    sort: 'fee',
    order: 'asc',
    maxFee: '0.5',
    verified: 'true',
    paid: 'true',
    view: 'table',
  };
  expect(readDirectorySearch(search)).toEqual(search);
  expect(filterOf(readDirectorySearch(search))).not.toHaveProperty('view');
  // A search has one order, in both directions.
  const { sort: _sort, ...searched } = { ...search, search: 'ada' };
  expect(readDirectorySearch({ ...search, search: 'ada' })).toEqual(searched);
});

it('filterOf drops unknown and invalid parameters, and trims and shortens the search', () => {
  const junk = {
    search: ` ${'x'.repeat(58)} yz`,
    maxFee: 'abc',
    sort: 'bogus',
    foo: '1',
    limit: '02',
    cursor: '',
  };
  expect(filterOf(junk as never)).toEqual({ search: `${'x'.repeat(58)} y` });
  expect(filterOf({ search: `${'x'.repeat(59)} y` })).toEqual({ search: 'x'.repeat(59) });
});

it('hasFilters ignores the sort and the view', () => {
  expect(hasFilters({ sort: 'fee', view: 'table' })).toBe(false);
  expect(hasFilters({ maxFee: '0' })).toBe(true);
});

// Specification 2.53
it.each([
  ['0.5', '0.5'],
  ['2.0', '2'],
  ['0.26', '0.3'],
  ['1.', '1'],
  ['02', '2'],
  ['.5', '0.5'],
  ['0.15', '0.2'],
  ['999999.99', '999999.9'],
  ['abc', null],
  ['0', '0'],
  ['1e3', null],
  ['', null],
  ['1234567', null],
])('readMaxFee reads %s as %s', (raw, fee) => expect(readMaxFee(raw)).toBe(fee));

describe('a caller record', () => {
  const calls = [
    { entryPrice: '1', endPrice: '1.5', callTimestamp: '' },
    { entryPrice: '2', endPrice: '1', callTimestamp: '' },
  ];
  it('runningReturn sums the calls’ changes, starting at 0', () =>
    expect(runningReturn(calls)).toEqual([0, 50, 0]));
  it('describeRecord lists the number of calls and their changes', () =>
    expect(describeRecord(calls)).toBe('Last 2 ended calls: +50.0%, -50.0%'));
});
