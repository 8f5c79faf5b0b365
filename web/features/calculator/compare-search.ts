import { MAX_COMPARED_CALLERS } from '#schema/constants/market.ts';
import { toDay } from '#schema/rules/text/utc-day.ts';

export interface CompareSearch {
  /** Handles or ids, separated by spaces. */
  readonly callers?: string;
  readonly amount?: string;
  /** 'YYYY-MM-DD' in UTC */
  readonly since?: string;
}

export function readCompareSearch(raw: Record<string, unknown>): CompareSearch {
  const names = callersOf({ callers: readText(raw['callers']) });
  return {
    ...(names.length > 0 && { callers: names.join(' ') }),
    ...(readText(raw['amount']) !== '' && { amount: readText(raw['amount']) }),
    ...(isDay(readText(raw['since'])) && { since: readText(raw['since']) }),
  };
}

/** The compared callers' handles or ids, also from profile URLs. Without duplicates, at most MAX_COMPARED_CALLERS. */
export function callersOf({ callers = '' }: CompareSearch): string[] {
  const names = callers.split(/[\s,]+/).map((name) => name.replace(/^.*[/@]/, ''));
  const isFirst = (name: string, index: number) =>
    names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) === index;
  return names
    .filter((name, index) => /^[\w-]+$/.test(name) && isFirst(name, index))
    .slice(0, MAX_COMPARED_CALLERS);
}

/** `Date.parse` reads other formats in the visitor's time zone. */
const isDay = (text: string) => !Number.isNaN(Date.parse(text)) && toDay(Date.parse(text)) === text;

const readText = (raw: unknown) => (typeof raw === 'string' ? raw.trim() : '');
