import { handleOf, type HasName } from '#schema/rules/people/person-name.ts';
import { Avatar, type AvatarProps } from '#web/ui/people/avatar.tsx';

type Named = Pick<HasName, 'firstName' | 'twitterHandle'>;

interface PersonAvatarProps extends Pick<AvatarProps, 'size' | 'className'> {
  person: Named & { readonly profileImageUrl: string | null };
  /** The letter of a person without a name. */
  letter?: string;
}

export function PersonAvatar({ person, letter = 'C', ...style }: PersonAvatarProps) {
  return <Avatar src={person.profileImageUrl} name={avatarNameOf(person, letter)} {...style} />;
}

export function avatarNameOf(person: Named, otherwise: string): string {
  const handle = handleOf(person) === null ? '' : person.twitterHandle;
  return person.firstName || handle || otherwise;
}
