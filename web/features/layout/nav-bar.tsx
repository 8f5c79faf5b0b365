import { lazyRouteComponent, Link, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { PRODUCT_NAME } from '#schema/constants/app.ts';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';
import { SignInLink } from '#web/lib/session/sign-in-link.tsx';
import { buttonClassName } from '#web/ui/controls/button-class-name.ts';
import { MenuIcon, X } from '#web/ui/icons.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { LOG_OUT_PATH } from '#web/api/session.queries.ts';
import { prepareLogOut } from '#web/lib/session/log-out.ts';
import { useSignInUrl } from '#web/lib/session/use-sign-in-url.ts';

/** Loaded on demand, because signed-out visitors don't need the menu. If loading fails, only the avatar shows. */
const AvatarMenu = lazyRouteComponent(
  () => import('./avatar-menu.tsx').catch(() => ({ AvatarMenu: UserAvatar })),
  'AvatarMenu',
);

export interface NavBarProps {
  /** The signed-in user; null if signed out, undefined while loading. */
  user: CurrentUser | null | undefined;
}

export function NavBar({ user }: NavBarProps) {
  const path = useLocation({ select: (location) => location.pathname });
  // The path on which the menu was opened. On another path the menu is closed, so following a link closes it.
  const [openOn, setOpenOn] = useState<string | null>(null);
  const isOpen = openOn === path;
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpenOn(null);
    };
    document.addEventListener('keydown', closeOnEscape);
    return () => document.removeEventListener('keydown', closeOnEscape);
  }, [isOpen]);
  const Icon = isOpen ? X : MenuIcon;
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface print:hidden">
      <div className="desk flex h-16 items-center gap-2">
        <Link
          to="/"
          aria-label={`${PRODUCT_NAME} home`}
          className="-ml-2 inline-flex h-11 items-center rounded-md px-2"
        >
          <Logo />
        </Link>
        <nav aria-label="Main" className="ml-4 hidden h-full items-stretch md:flex">
          {visibleNavLinks(Boolean(user)).map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className={navLinkClassName}
              activeProps={{ className: activeLinkClassName }}
            >
              {label}
            </Link>
          ))}
        </nav>
        {/** Fills the remaining width, so that it doesn't move when the session has loaded. */}
        <div className="flex flex-1 items-center justify-end gap-1">
          {/* Where the text is large, only the menu has room for it. */}
          {user === null && <SignInLink size="sm" className="max-[20rem]:hidden" />}
          {user && (
            <Suspense fallback={<UserAvatar user={user} />}>
              <AvatarMenu user={user} />
            </Suspense>
          )}
          <button
            type="button"
            aria-label={isOpen ? 'Close menu' : 'Open menu'}
            aria-expanded={isOpen}
            aria-controls="mobile-menu"
            className={buttonClassName({ variant: 'ghost', size: 'icon', className: '-mr-2 md:hidden' })}
            onClick={() => setOpenOn(isOpen ? null : path)}
          >
            <Icon size={20} />
          </button>
        </div>
      </div>
      {isOpen && <MobileMenu user={user} />}
    </header>
  );
}

const navLinkClassName =
  'relative inline-flex items-center px-3 text-sm text-text-muted transition-colors hover:text-text';
const activeLinkClassName =
  'text-text before:absolute before:inset-x-3 before:-bottom-px before:h-0.5 before:bg-accent-text after:absolute after:right-2 after:-bottom-[3px] after:size-1.5 after:rounded-full after:bg-accent-text';

function UserAvatar({ user }: { user: CurrentUser }) {
  return <PersonAvatar person={user} letter="U" size="sm" className="m-1.5" />;
}

function MobileMenu({ user }: { user: CurrentUser | null | undefined }) {
  const signInUrl = useSignInUrl();
  return (
    <nav id="mobile-menu" aria-label="Main" className="border-t border-line md:hidden">
      <div className="desk flex flex-col py-2">
        {visibleNavLinks(Boolean(user)).map(({ to, label }) => (
          <Link
            key={to}
            to={to}
            className={itemClassName}
            activeProps={{
              className: 'font-medium before:mr-3 before:size-1.5 before:rounded-full before:bg-accent-text',
            }}
          >
            {label}
          </Link>
        ))}
        {user === null && (
          <a href={signInUrl} className={itemClassName}>
            Sign in with Twitter
          </a>
        )}
        {user && (
          <a href={LOG_OUT_PATH} className={itemClassName} onClick={prepareLogOut}>
            Log out
          </a>
        )}
      </div>
    </nav>
  );
}

const itemClassName = 'flex min-h-12 items-center text-base';

const navLinks = [
  { to: '/recent-calls', label: 'Recent Calls', needsUser: false },
  { to: '/dashboard', label: 'Dashboard', needsUser: true },
] as const;

function visibleNavLinks(isSignedIn: boolean) {
  return navLinks.filter((link) => isSignedIn || !link.needsUser);
}
