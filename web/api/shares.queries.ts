import { mutationOptions } from '@tanstack/react-query';
import type { TwitterPostBody } from '#schema/contracts/shares.ts';
import { client, read, send } from './client.ts';
import { currentUserQuery } from './session.queries.ts';
import { refetch } from './refetch.ts';

export function shareImagePath(callId: string): string {
  return `/api/token-calls/${encodeURIComponent(callId)}/share.png`;
}

export const generateShareImageMutation = mutationOptions({
  mutationFn: async (callId: string) => {
    const response = await send(
      client.api['token-calls'][':id']['share.png'].$get({ param: { id: callId } }),
    );
    return toDataUrl(await response.blob());
  },
});

export const postTweetMutation = mutationOptions({
  mutationFn: (body: TwitterPostBody) => read(client.api['twitter-post'].$post({ json: body })),
});

export const disconnectXMutation = mutationOptions({
  mutationFn: () => read(client.api.user['x-posting'].$delete()),
  onSuccess: refetch(currentUserQuery.queryKey),
});

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(new Error('The image could not be read')));
    reader.readAsDataURL(blob);
  });
}
