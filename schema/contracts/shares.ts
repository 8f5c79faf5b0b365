import { z } from 'zod';

/** `imageDataUrl` is a `data:image/png;base64,` of 1200×675. The service checks both fields. */
export const twitterPostSchema = z.object({ text: z.string(), imageDataUrl: z.string() });
export type TwitterPostBody = z.infer<typeof twitterPostSchema>;

export interface TwitterPostAnswer {
  readonly tweetUrl: string;
}

/** `DELETE /api/user/x-posting`. No post starts after it; one under way may still appear unless X confirmed. */
export interface DisconnectXAnswer {
  readonly message: string;
  /** True if X confirmed that the permission is revoked. False if we had none, since X isn't asked then. */
  readonly isRevokedOnX: boolean;
}
