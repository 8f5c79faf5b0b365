import type { MutationFunctionContext, QueryKey } from '@tanstack/react-query';

/** A mutation's `onSuccess` that refetches the queries below these keys. */
export const refetch =
  (...keys: readonly QueryKey[]) =>
  (_data: unknown, _variables: unknown, _result: unknown, { client }: MutationFunctionContext) =>
    Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })));

/** A mutation's `onSettled` that does the same, even after a failure. */
export const refetchAlways =
  (...keys: readonly QueryKey[]) =>
  (data: unknown, _error: Error | null, ...rest: [unknown, unknown, MutationFunctionContext]) =>
    refetch(...keys)(data, ...rest);

/**
 * Same as `refetch`, but the mutation doesn't wait for the responses. Otherwise the message about one action could
 * appear after the message about the next.
 */
export const refetchInBackground =
  (...keys: readonly QueryKey[]) =>
  (...args: Parameters<ReturnType<typeof refetch>>): void => {
    void refetch(...keys)(...args);
  };
