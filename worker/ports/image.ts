export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** An image whose type and size were read from its bytes. */
export interface Image {
  readonly type: ImageType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}
