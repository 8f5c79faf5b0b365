export class Violation extends Error {
  override name = 'Violation';
}

export function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Violation(sentence);
}
