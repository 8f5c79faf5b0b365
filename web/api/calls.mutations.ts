import { mutationOptions, type MutationFunctionContext } from '@tanstack/react-query';
import type { CreateCallBody } from '#schema/contracts/calls.ts';
import { hasCode } from './api-error.ts';
import { client, read } from './client.ts';
import { deliveriesQuery } from './telegram.queries.ts';
import { refetchInBackground } from './refetch.ts';

const callsChanged = refetchInBackground(['token-calls'], ['callers'], deliveriesQuery.queryKey);

/** Loads the calls again if another tab or device has made or ended the call. */
function refreshIfOutdated(error: Error, ...rest: readonly [unknown, unknown, MutationFunctionContext]) {
  const isOutdated = hasCode(error, 'calls.already_called') || hasCode(error, 'calls.already_ended');
  return isOutdated ? callsChanged(undefined, ...rest) : undefined;
}

/** Opens a call. `entryPrice` is what the caller saw; the server records its own price. */
export const createCallMutation = mutationOptions({
  mutationFn: ({ logoURI, ...body }: CreateCallBody) =>
    read(client.api['token-calls'].$post({ json: { ...body, ...(logoURI != null && { logoURI }) } })),
  onSuccess: callsChanged,
  onError: refreshIfOutdated,
});

interface EndCall {
  readonly id: string;
  /** Fails with `calls.gain_not_counted` instead of ending at a gain that would count as 0%. */
  readonly isOnlyIfCounted: boolean;
}

export const endCallMutation = mutationOptions({
  mutationFn: ({ id, isOnlyIfCounted }: EndCall) => {
    const query = isOnlyIfCounted ? { onlyIfCounted: 'true' as const } : {};
    return read(client.api['token-calls'][':id'].end.$patch({ param: { id }, query }));
  },
  onSuccess: callsChanged,
  onError: refreshIfOutdated,
});
