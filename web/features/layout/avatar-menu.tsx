import { Link } from '@tanstack/react-router';
import { Menu } from '@base-ui/react/menu';
import type { ComponentProps, ReactElement } from 'react';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { fullName, shownHandle } from '#schema/rules/people/person-name.ts';
import { LOG_OUT_PATH } from '#web/api/session.queries.ts';
import { prepareLogOut } from '#web/lib/session/log-out.ts';
import { PersonAvatar } from '#web/lib/people/person-avatar.tsx';
import { classNames } from '#web/ui/class-names.ts';

export function AvatarMenu({ user }: { user: CurrentUser }) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        aria-label="Your account"
        className="inline-flex min-h-11 min-w-11 items-center justify-center rounded-full"
      >
        <PersonAvatar person={user} letter="U" size="sm" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={8} align="end" className="z-40 outline-none">
          <Menu.Popup className={popupClassName}>
            <div className="px-3 py-2 text-sm">
              <p dir="auto" className="text-left font-semibold">
                {fullName(user)}
              </p>
              {user.email !== null && <p className="text-text-muted">{user.email}</p>}
              {user.twitterHandle !== '' && <p className="text-text-muted">{shownHandle(user)}</p>}
            </div>
            <Menu.Separator className="my-1 h-px bg-line" />
            <MenuLink className="max-md:hidden" render={<Link to="/dashboard" />}>
              Dashboard
            </MenuLink>
            <MenuLink render={<Link to="/portfolio" />}>Portfolio</MenuLink>
            <MenuLink render={<Link to="/payments" />}>Payments</MenuLink>
            <MenuLink render={<Link to="/settings/$section" params={{ section: 'sign-ins' }} />}>
              Settings
            </MenuLink>
            {user.isOperator && <MenuLink render={<Link to="/operators" />}>Operators</MenuLink>}
            <MenuLink href={LOG_OUT_PATH} onClick={prepareLogOut}>
              Log out
            </MenuLink>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

const popupClassName = classNames(
  'max-w-[calc(100vw-2rem)] min-w-56 origin-(--transform-origin) rounded-md border border-line bg-surface-raised p-1',
  'text-text shadow-float outline-none transition-[transform,opacity]',
  'data-ending-style:scale-98 data-ending-style:opacity-0',
  'data-starting-style:scale-98 data-starting-style:opacity-0',
);

const itemClassName =
  'flex min-h-11 w-full items-center gap-3 rounded-sm px-3 text-sm -outline-offset-2 select-none data-highlighted:bg-surface-hover';

function MenuLink({
  render,
  className,
  ...rest
}: ComponentProps<'a'> & { render?: ReactElement | undefined }) {
  return (
    <Menu.LinkItem
      {...rest}
      {...(render ? { render } : {})}
      closeOnClick
      className={classNames(itemClassName, className)}
    />
  );
}
