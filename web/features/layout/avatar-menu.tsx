import { Link } from '@tanstack/react-router';
import type { CurrentUser } from '#schema/contracts/users.ts';
import { LOG_OUT_PATH } from '#web/api/session.queries.ts';
import { fullName, shownHandle } from '#schema/rules/people/person-name.ts';
import { prepareLogOut } from '#web/lib/session/log-out.ts';
import { initialOf } from '#web/lib/people/person.ts';
import { Avatar } from '#web/ui/people/avatar.tsx';
import { Menu, MenuHeader, MenuLink, MenuSeparator } from '#web/ui/overlays/menu.tsx';

export function AvatarMenu({ user }: { user: CurrentUser }) {
  const avatar = <Avatar src={user.profileImageUrl} letter={initialOf(user, 'U')} size="sm" />;
  return (
    <Menu label="Your account" trigger={avatar} triggerClassName="rounded-full">
      <MenuHeader>
        <p dir="auto" className="text-left font-semibold">
          {fullName(user)}
        </p>
        {user.email !== null && <p className="text-text-muted">{user.email}</p>}
        {user.twitterHandle !== '' && <p className="text-text-muted">{shownHandle(user)}</p>}
      </MenuHeader>
      <MenuSeparator />
      <MenuLink className="max-md:hidden" render={<Link to="/dashboard" />}>
        Dashboard
      </MenuLink>
      <MenuLink render={<Link to="/portfolio" />}>Portfolio</MenuLink>
      <MenuLink render={<Link to="/payments" />}>Payments</MenuLink>
      {user.isOperator && <MenuLink render={<Link to="/operators" />}>Operators</MenuLink>}
      <MenuLink href={LOG_OUT_PATH} onClick={prepareLogOut}>
        Log out
      </MenuLink>
    </Menu>
  );
}
