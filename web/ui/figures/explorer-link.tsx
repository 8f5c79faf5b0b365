import { ExternalLink } from '../more-icons.ts';
import { classNames } from '../class-names.ts';

export function ExplorerLink({ href, className }: { href: string; className?: string | undefined }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={classNames(
        'flex min-h-11 w-fit items-center gap-2 text-sm font-medium print:hidden',
        'link',
        className,
      )}
    >
      Open in a Solana explorer
      <ExternalLink size={14} />
    </a>
  );
}
