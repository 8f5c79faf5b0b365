import type { FactKind } from '#schema/contracts/notifications.ts';
import { createAccountKinds, type AccountKindsOptions } from './account-kinds.ts';
import { createCallKinds, type CallKindsOptions } from './call-kinds.ts';
import type { ToldFact } from './fact-kind.ts';
import { createMoneyKinds, type MoneyKindsOptions } from './money-kinds.ts';

/** How each kind of fact is told. A fact of a newer version may have another kind. */
export type FactKinds = ReadonlyMap<string, ToldFact>;

export function createFactKinds(
  options: CallKindsOptions & MoneyKindsOptions & AccountKindsOptions,
): FactKinds {
  const kinds = {
    ...createCallKinds(options),
    ...createMoneyKinds(options),
    ...createAccountKinds(options),
  } satisfies Record<FactKind, ToldFact>;
  return new Map(Object.entries(kinds));
}
