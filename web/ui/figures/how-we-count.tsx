import { Link } from '@tanstack/react-router';

export function HowWeCount({ hash = '', className = '' }: { hash?: string; className?: string }) {
  return (
    <Link to="/how-we-count" hash={hash} className={`whitespace-nowrap link ${className}`}>
      How we count
    </Link>
  );
}
