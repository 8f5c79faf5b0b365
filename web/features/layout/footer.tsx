import { Link } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import { PRODUCT_TOKEN_MINT, SOCIAL_LINKS } from '#web/lib/text/links.ts';
import { SegmentedToggle } from '#web/ui/controls/segmented-toggle.tsx';
import { Address } from '#web/ui/figures/address.tsx';
import { LogoMark } from '#web/ui/logo.tsx';
import { useNow } from '#web/ui/figures/use-now.ts';
import { pageStorage } from '#web/lib/browser/page-storage.ts';

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
] as const satisfies readonly { value: Theme; label: string }[];

function ThemeToggle() {
  const theme = useSyncExternalStore(followTheme, readTheme, () => 'system' as const);
  return <SegmentedToggle label="Theme" value={theme} options={THEMES} onValueChange={setTheme} />;
}

/** 'system' follows the device. */
type Theme = 'system' | 'light' | 'dark';

const STORAGE_KEY = 'theme';

function followTheme(listener: () => void): () => void {
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key !== STORAGE_KEY) return;
    if (newValue === null) delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = newValue;
    listener();
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

function readTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Stores the choice, which public/early.js applies on the next load. */
function setTheme(theme: Theme): void {
  const newValue = theme === 'system' ? null : theme;
  pageStorage.setItem(STORAGE_KEY, newValue);
  // The browser itself tells only other tabs.
  window.dispatchEvent(new StorageEvent('storage', { key: STORAGE_KEY, newValue }));
}
