import { fingerprint } from '#schema/rules/text/fingerprint.ts';

/** Paths of images that the server fetches from other sites, so that viewers send no requests to those sites. */
const FOLDER = '/api/images';

interface StoredAvatar {
  readonly id: string;
  readonly url: string | null;
}

export function callerAvatarPath({ id, url }: StoredAvatar): string | null {
  return url === null ? null : `${FOLDER}/callers/${id}/${fingerprint(url)}`;
}

export function ownAvatarPath(url: string | null): string | null {
  return url === null ? null : `${FOLDER}/me/${fingerprint(url)}`;
}

interface StoredIcon {
  readonly id: string;
  readonly logo_uri: string | null;
  readonly ended_at: number | null;
}

/** The path of a call's token icon. The icon of an active call is only for viewers who may see the call. */
export function callIconPath({ id, logo_uri: url, ended_at: endedAt }: StoredIcon): string | null {
  return url === null ? null : `${FOLDER}/${endedAt === null ? 'active-calls' : 'calls'}/${id}`;
}

export function tokenIconPath(sealed: string): string {
  return `${FOLDER}/tokens/${sealed}`;
}
