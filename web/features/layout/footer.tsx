import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { PRODUCT_TOKEN_MINT, SOCIAL_LINKS } from '#web/lib/text/links.ts';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';
import { Address } from '#web/ui/figures/address.tsx';
import { LogoMark } from '#web/ui/logo.tsx';
import { useNow } from '#web/ui/figures/use-now.ts';
import { pageStorage } from '#web/lib/browser/page-storage.ts';
import { useStored } from '#web/lib/browser/use-stored.ts';

export function Footer() {
  const year = new Date(useNow()).getUTCFullYear();
  return (
    <footer className="mt-auto border-t border-line text-sm text-text-muted print:hidden">
      <div className="desk flex flex-wrap items-center justify-between gap-x-8 gap-y-4 py-6">
        <div className="flex items-center gap-3">
          <LogoMark size={22} />
          <div>
            <p>
              © {year} {PRODUCT_NAME}
            </p>
            <p className="text-xs">
              Token contract address:{' '}
              {PRODUCT_TOKEN_MINT === null ? (
                'not announced'
              ) : (
                <Address value={PRODUCT_TOKEN_MINT} label="token contract address" />
              )}
            </p>
          </div>
        </div>
        <nav aria-label="About" className="flex flex-wrap gap-x-4 md:ml-auto">
          {LINKS.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className="inline-flex min-h-11 items-center underline-offset-4 hover:text-text hover:underline"
            >
              {label}
            </Link>
          ))}
        </nav>
        <nav aria-label="Social" className="-mr-2 -ml-4 flex shrink-0">
          <SocialLink href={SOCIAL_LINKS.x} label="X" />
          <SocialLink href={SOCIAL_LINKS.discord} label="Discord" />
        </nav>
        <ThemeToggle />
      </div>
    </footer>
  );
}

const LINKS = [
  { to: '/compare', label: 'Compare' },
  { to: '/how-we-count', label: 'How we count' },
  { to: '/sealed-calls', label: 'Sealed calls' },
  { to: '/terms', label: 'Terms' },
  { to: '/privacy', label: 'Privacy' },
  { to: '/risk', label: 'Risks' },
] as const;

function SocialLink({ href, label }: { href: string; label: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-11 min-w-11 items-center justify-center px-2 underline-offset-4 hover:text-text hover:underline"
    >
      {label}
    </a>
  );
}

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const;

/** Without a choice, the theme follows the device. public/early.js applies the choice on the next load. */
function ThemeToggle() {
  const [stored, store] = useStored(pageStorage, 'theme');
  const theme = THEMES.find(({ value }) => value === stored)?.value ?? 'system';
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
  const choose = (next: typeof theme) => store(next === 'system' ? null : next);
  return <SegmentedToggle label="Theme" value={theme} options={THEMES} onValueChange={choose} />;
}
