import { z } from 'zod';

/** `imageDataUrl` is a `data:image/png;base64,` of 1200×675; what is wrong with either is said in words of its own. */
export const twitterPostSchema = z.object({ text: z.string(), imageDataUrl: z.string() });
export type TwitterPostBody = z.infer<typeof twitterPostSchema>;

export interface TwitterPostAnswer {
  readonly tweetUrl: string;
}
