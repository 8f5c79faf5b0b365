import { z } from 'zod';

/** `imageDataUrl` is a `data:image/png;base64,` of 1200×675; what is wrong with either is said in words of its own. */
export const twitterPostSchema = z.object({ text: z.string(), imageDataUrl: z.string() });
export type TwitterPostBody = z.infer<typeof twitterPostSchema>;

export interface TwitterPostAnswer {
  readonly tweetUrl: string;
}

/** `DELETE /api/user/x-posting`: no post is begun any more in any case; one under way may still appear unless X has confirmed. */
export interface DisconnectXAnswer {
  /** What became of it, for the person who asked. */
  readonly message: string;
  /** Whether X has just confirmed that the permission is over there too. False where there was none here: X is asked nothing then. */
  readonly isRevokedOnX: boolean;
}
