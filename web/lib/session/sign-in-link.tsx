import { LinkButton, type LinkButtonProps } from '#web/ui/controls/link-button.tsx';
import { useSignInUrl } from './use-sign-in-url.ts';

/** The link to sign in, which returns to this page. */
export function SignInLink(props: Pick<LinkButtonProps, 'variant' | 'size' | 'className'>) {
  return (
    <LinkButton href={useSignInUrl()} {...props}>
      Sign in with Twitter
    </LinkButton>
  );
}
