/** Random values from a seed. */
export interface Random {
  /** From 0 to 1. */
  next(): number;
  /** A whole number below `end`. */
  below(end: number): number;
  chance(share: number): boolean;
  pick<Type>(list: readonly Type[]): Type;
  /** 32 bytes in base64. */
  salt(): string;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed * 0x9e3779b1;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: <Type>(list: readonly Type[]) => list[below(list.length)] as Type,
    salt: () => Buffer.from(Array.from({ length: 32 }, () => below(256))).toString('base64'),
  };
}
