import { useState } from 'react';
import { classNames } from '../class-names.ts';
import { useIsHydrated } from '../use-is-hydrated.ts';

const sizes = {
  sm: { box: 'size-8 text-sm', px: 32 },
  md: { box: 'size-10 text-base', px: 40 },
  lg: { box: 'size-16 text-lg', px: 64 },
} as const;

export interface AvatarProps {
  src: string | null | undefined;
  /** Without an image, the avatar shows its first letter. */
  name: string;
  size?: keyof typeof sizes | undefined;
  shape?: 'person' | 'token' | undefined;
  className?: string | undefined;
}

/** True if an image has failed. On a server-rendered page, it may fail before React listens for errors. */
const hasFailed = (image: HTMLImageElement) =>
  image.complete && image.currentSrc !== '' && image.naturalWidth === 0;

/** A person's or a token's image. Hidden from screen readers, because the name is always beside it. */
export function Avatar({ src, name, size = 'md', shape = 'person', className }: AvatarProps) {
  const [failedSrc, setFailedSrc] = useState<string | null>(null);
  const isHydrated = useIsHydrated();
  const { box, px } = sizes[size];
  const hasImage = Boolean(src) && src !== failedSrc;
  const noticeFailure = (image: HTMLImageElement | null) => {
    if (image && hasFailed(image)) setFailedSrc(src ?? null);
  };
  const look = classNames('avatar', shape === 'person' ? 'rounded-full' : 'rounded-sm', box, className);
  if (!hasImage) {
    return (
      <span aria-hidden="true" className={look}>
        {([...name][0] ?? '').toUpperCase()}
      </span>
    );
  }
  return (
    <img
      src={src ?? undefined}
      alt=""
      width={px}
      height={px}
      loading="lazy"
      referrerPolicy="no-referrer"
      className={look}
      ref={isHydrated ? undefined : noticeFailure}
      onError={() => setFailedSrc(src ?? null)}
    />
  );
}
