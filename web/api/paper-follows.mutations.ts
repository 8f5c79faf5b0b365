import { mutationOptions } from '@tanstack/react-query';
import { client, read } from './client.ts';
import { paperFollowsQuery } from './paper-follows.queries.ts';
import { storeResponse } from './store-response.ts';

interface PaperChange {
  readonly callerId: string;
  /** Whole USD for each call, or null to only watch. Undefined ends the paper follow. */
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
