import { PRICE_SHARDS } from '#schema/constants/prices.ts';

/**
 * Index of the first of the mint's characters that decide its shard. The last characters aren't used, because
 * many mints end with the same ones ("pump").
 */
const FIRST_CHARACTER = 4;
const CHARACTERS = 8;
const FACTOR = 31;

/** The number of a mint's shard, from 0. Mints share KV keys because one key per mint would cost too much. */
export function shardOf(mint: string): number {
  let hash = 0;
  for (let index = FIRST_CHARACTER; index < FIRST_CHARACTER + CHARACTERS; index++) {
    hash = hash * FACTOR + (mint.codePointAt(index) ?? 0);
  }
  return hash % PRICE_SHARDS;
}

export const SHARD_SQL = `(${Array.from({ length: CHARACTERS }, (_, index) => {
  const character = `coalesce(unicode(substr(mint, ${FIRST_CHARACTER + index + 1}, 1)), 0)`;
  return `${character} * ${FACTOR ** (CHARACTERS - 1 - index)}`;
}).join(' + ')}) % ${PRICE_SHARDS}`;
