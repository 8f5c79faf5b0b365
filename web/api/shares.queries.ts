import { mutationOptions } from '@tanstack/react-query';
import type { TwitterPostAnswer, TwitterPostBody } from '#schema/contracts/shares.ts';
import { client, read, send } from './client.ts';

/** Where the image of an ended call is, for everyone. */
export function shareImagePath(callId: string): string {
  return `/api/token-calls/${encodeURIComponent(callId)}/share.png`;
}

/** Has the image of an ended call drawn; a PNG as a data URL. */
export const generateShareImageMutation = mutationOptions({
  mutationFn: async (callId: string): Promise<string> => {
    const answer = await send(client.api['token-calls'][':id']['share.png'].$get({ param: { id: callId } }));
    return toDataUrl(await answer.blob());
  },
});

/** Posts a share on X for the signed-in caller. */
export const postTweetMutation = mutationOptions({
  mutationFn: (body: TwitterPostBody): Promise<TwitterPostAnswer> => read(client.api['twitter-post'].$post({ json: body })),
});

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(String(reader.result)));
    reader.addEventListener('error', () => reject(new Error('The image could not be read')));
    reader.readAsDataURL(blob);
  });
}
