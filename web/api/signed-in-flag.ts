import { SIGNED_IN_COOKIE } from '#schema/constants/people.ts';

const FLAG = new RegExp(`(?:^|; )((?:__Host-)?${SIGNED_IN_COOKIE})=`);

/** False if nobody is signed in here. True if somebody is, or was when the session ended on the server. */
export function hasSignedInFlag(): boolean {
  return FLAG.test(document.cookie);
}

export function clearSignedInFlag(): void {
  const [, name] = FLAG.exec(document.cookie) ?? [];
  const secure = window.location.protocol === 'https:' ? '; Secure' : '';
  if (name !== undefined) document.cookie = `${name}=; Max-Age=0; Path=/${secure}`;
}
