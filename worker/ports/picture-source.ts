/** A complete picture of that type, checked by its bytes, without metadata. */
export interface Picture {
  readonly type: 'image/png' | 'image/jpeg';
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** `none`: never fetched from that URL. `failed`: a later attempt may succeed. */
export type PictureAnswer =
  | { readonly outcome: 'picture'; readonly picture: Picture }
  | { readonly outcome: 'none' }
  | { readonly outcome: 'failed' };

export interface PictureSource {
  /** Fetches the profile picture of an account on X. Never throws; answers within two seconds. */
  fetch(url: string | null): Promise<PictureAnswer>;
}
