import { z } from 'zod';

export const SHARE_IMAGE_PREFIX = 'data:image/png;base64,';

/** `imageDataUrl` is the share image of an ended call as the server draws it, a PNG of 1200×675. */
export const twitterPostSchema = z.object({
  text: z.string(),
  imageDataUrl: z.string().startsWith(SHARE_IMAGE_PREFIX, 'The image must be a PNG data URL in base64.'),
});
export type TwitterPostBody = z.infer<typeof twitterPostSchema>;

export interface TwitterPostResponse {
  readonly tweetUrl: string;
}

/** Response of `DELETE /api/user/x-posting`. A post in progress may still appear if `isRevokedOnX` is false. */
export interface DisconnectXResponse {
  readonly message: string;
  /** True if X confirmed that the permission is revoked. False also if there was none to revoke. */
  readonly isRevokedOnX: boolean;
}
