import type { MutationFunctionContext, QueryKey } from '@tanstack/react-query';

/** A mutation's `onSuccess` that refetches the queries below these keys. */
export const refetch =
  (...keys: readonly QueryKey[]) =>
  (_data: unknown, _variables: unknown, _result: unknown, { client }: MutationFunctionContext) =>
    Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));
