export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** An image whose type and size were read from its bytes. */
export interface Image {
  readonly type: ImageType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface IconSource {
  /** Resolves to null if the URL isn't allowed, or if it has no acceptable image. Never throws. */
  fetch(url: string): Promise<Image | null>;
}

export interface ImageCache {
  /** Null if the last attempt failed, undefined if nothing is stored under this key. */
  get(key: string): Promise<Image | null | undefined>;
  put(key: string, image: Image | null): Promise<void>;
}
