import { BadgeCheck } from '../icons.tsx';

export function VerifiedMark({ size = 16 }: { size?: number | undefined }) {
  return (
    <span role="img" aria-label="Verified" title="Verified" className="inline-flex shrink-0 text-accent-text">
      <BadgeCheck size={size} />
    </span>
  );
}
