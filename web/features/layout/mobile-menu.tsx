import { Link } from '@tanstack/react-router';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { LOG_OUT_PATH } from '#web/api/session.queries.ts';
import { prepareLogOut } from '#web/lib/session/log-out.ts';
import { useSignInUrl } from '#web/lib/session/use-sign-in-url.ts';
import { visibleNavLinks } from './nav-links.ts';

export function MobileMenu({ user }: { user: CurrentUser | null | undefined }) {
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
