import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { fullName, shownHandle } from '#schema/rules/people/person-name.ts';
import { LOG_OUT_PATH } from '#web/api/session.queries.ts';
import { prepareLogOut } from '#web/lib/session/log-out.ts';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';

const ID = 'account-menu';

/** The browser opens and closes the menu, also on Escape and on a click elsewhere. */
export function AvatarMenu({ user }: { user: CurrentUser }) {
  const [wasOpened, setWasOpened] = useState(false);
  // The key of the menu: a new page replaces the element, which closes it.
  const path = useLocation({ select: (location) => location.pathname });
  return (
    <>
      <button
        type="button"
        popoverTarget={ID}
        onClick={() => setWasOpened(true)}
        aria-label="Your account"
        className="inline-flex min-h-11 min-w-11 items-center justify-center rounded-full"
      >
        <PersonAvatar person={user} letter="U" size="sm" />
      </button>
      <nav key={path} id={ID} popover="auto" aria-label="Your account" className="account-menu">
        {wasOpened && <Account user={user} />}
      </nav>
    </>
  );
}

function Account({ user }: { user: CurrentUser }) {
  return (
    <>
      <div className="border-b border-line px-3 pt-2 pb-3 text-text-muted">
        <p dir="auto" className="text-left font-semibold text-text">
          {fullName(user)}
        </p>
        {user.email !== null && <p>{user.email}</p>}
        {user.twitterHandle !== '' && <p>{shownHandle(user)}</p>}
      </div>
      <Link to="/dashboard" className="max-md:hidden">
        Dashboard
      </Link>
      <Link to="/portfolio">Portfolio</Link>
      <Link to="/payments">Payments</Link>
      <Link to="/settings/$section" params={{ section: 'sign-ins' }}>
        Settings
      </Link>
      {user.isOperator && <Link to="/operators">Operators</Link>}
      <a href={LOG_OUT_PATH} onClick={prepareLogOut}>
        Log out
      </a>
    </>
  );
}
