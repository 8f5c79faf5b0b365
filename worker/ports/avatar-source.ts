/** A complete avatar image without metadata. The type is detected from its bytes. */
export interface Avatar {
  readonly type: 'image/png' | 'image/jpeg';
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** `none`: the URL can't have an image. `failed`: a later attempt may succeed. */
export type AvatarResponse =
  | { readonly outcome: 'avatar'; readonly avatar: Avatar }
  | { readonly outcome: 'none' }
  | { readonly outcome: 'failed' };
