import { classNames } from '../class-names.ts';
import { BadgeCheck } from '../icons.tsx';

export function VerifiedMark({ size = 16, className }: { size?: number | undefined; className?: string }) {
  return (
    <BadgeCheck
      size={size}
      role="img"
      aria-hidden="false"
      aria-label="Verified"
      className={classNames('shrink-0 text-accent-text', className)}
    />
  );
}
