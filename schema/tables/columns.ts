import { sql, type SQL } from 'drizzle-orm';
import { customType, integer, text } from 'drizzle-orm/sqlite-core';

/**
 * Lamports are integers in the database and bigints in code. D1 returns integers as doubles, so a value must
 * be a safe integer (under 9 million SOL). Single amounts are far below that (MAX_FEE_LAMPORTS).
 */
export const lamports = customType<{ data: bigint; driverData: number }>({
  dataType: () => 'integer',
  toDriver: (value) => {
    const amount = Number(value);
    if (!Number.isSafeInteger(amount)) throw new RangeError(`${value} lamports are not a safe integer`);
    return amount;
  },
  fromDriver: (value) => BigInt(value),
});

export const timestamp = <Name extends string>(name: Name) => integer(name, { mode: 'number' });

export const flag = <Name extends string>(name: Name) => integer(name, { mode: 'boolean' });

/** A price in USD as a plain positive decimal, never an exponent. */
export const price = <Name extends string>(name: Name) => text(name);

interface HasName {
  readonly name: string;
}

/** Condition of a partial index, without the table's name. */
export const isUnset = (column: HasName): SQL => sql.raw(`${column.name} IS NULL`);
export const isSet = (column: HasName): SQL => sql.raw(`${column.name} IS NOT NULL`);
export const isOn = (flag: HasName): SQL => sql.raw(`${flag.name} = 1`);
