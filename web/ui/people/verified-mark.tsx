import { BadgeCheck } from '../icons.tsx';

export function VerifiedMark({ size = 16 }: { size?: number | undefined }) {
  return (
    <BadgeCheck
      size={size}
      role="img"
      aria-hidden="false"
      aria-label="Verified"
      className="shrink-0 text-accent-text"
    />
  );
}
