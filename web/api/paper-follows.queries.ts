import { mutationOptions, queryOptions } from '@tanstack/react-query';
import { client, read } from './client.ts';
import { storeResponse } from './store-response.ts';

/** The callers whom the user follows on paper, newest first. */
export const paperFollowsQuery = queryOptions({
  queryKey: ['paper-follows'],
  queryFn: () => read(client.api['paper-follows'].$get()),
});

interface PaperChange {
  readonly callerId: string;
  /** Whole USD for each call, or null to only watch. Undefined ends it. */
  readonly amountUsd: number | null | undefined;
}

export const changePaperFollowMutation = mutationOptions({
  mutationFn: ({ callerId, amountUsd }: PaperChange) => {
    const follow = client.api['paper-follows'][':callerId'];
    const path = { param: { callerId } };
    return read(
      amountUsd === undefined ? follow.$delete(path) : follow.$put({ ...path, json: { amountUsd } }),
    );
  },
  onSuccess: (follows, _change, _result, context) =>
    storeResponse(context.client, paperFollowsQuery, follows),
});
