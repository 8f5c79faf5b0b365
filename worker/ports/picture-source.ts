/** A picture that was looked at and is what it says: its real kind, its real size, nothing beside what draws it. */
export interface Picture {
  readonly type: 'image/png' | 'image/jpeg';
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What a picture's address gave. `none`: nothing is ever fetched from there. `failed`: it may be there another time. */
export type PictureAnswer =
  | { readonly outcome: 'picture'; readonly picture: Picture }
  | { readonly outcome: 'none' }
  | { readonly outcome: 'failed' };

/** People's own pictures, from the one place that we take them from. */
export interface PictureSource {
  /** Fetches the picture at an address that somebody's account had. Never throws, and is soon done. */
  fetch(url: string | null): Promise<PictureAnswer>;
}
