import { z } from 'zod';

/** `imageDataUrl` is a `data:image/png;base64,` of 1200×675; what is wrong with either is said in words of its own. */
export const twitterPostSchema = z.object({ text: z.string(), imageDataUrl: z.string() });
export type TwitterPostBody = z.infer<typeof twitterPostSchema>;

export interface TwitterPostAnswer {
  readonly tweetUrl: string;
}

/** `DELETE /api/user/x-posting`: posting is over here in any case. */
export interface DisconnectXAnswer {
  /** What became of it, for the person who asked. */
  readonly message: string;
  /** Whether X has confirmed that the permission is over there too. */
  readonly isRevokedOnX: boolean;
}
