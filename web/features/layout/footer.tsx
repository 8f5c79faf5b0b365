import { Link } from '@tanstack/react-router';
import { PRODUCT_NAME } from '#schema/constants.ts';
import { PRODUCT_TOKEN_MINT, SOCIAL_LINKS } from '#web/lib/links.ts';
import { Address } from '#web/ui/address.tsx';
import { LogoMark } from '#web/ui/logo.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { ThemeToggle } from './theme-toggle.tsx';

export function Footer() {
  const year = new Date(useNow()).getUTCFullYear();
  return (
    <footer className="mt-auto border-t border-line text-sm text-text-muted print:hidden">
      <div className="desk flex flex-col gap-x-8 gap-y-4 py-6 md:flex-row md:items-center">
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
        <Link
          to="/how-we-count"
          className="inline-flex min-h-11 shrink-0 items-center self-start underline-offset-4 hover:text-text hover:underline md:ml-auto md:self-auto"
        >
          How we count
        </Link>
        <nav aria-label="Social" className="-mx-4 flex shrink-0 md:-mx-2">
          <SocialLink href={SOCIAL_LINKS.x} label="X" />
          <SocialLink href={SOCIAL_LINKS.discord} label="Discord" />
        </nav>
        <ThemeToggle />
      </div>
    </footer>
  );
}

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
