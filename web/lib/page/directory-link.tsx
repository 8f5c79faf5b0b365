import { Link } from '@tanstack/react-router';
import { buttonClassName, type ButtonStyle } from '#web/ui/controls/button-class-name.ts';

/** Leads from a page without anything to show to the directory. */
export function DirectoryLink({ children, ...style }: ButtonStyle & { children: string }) {
  return (
    <Link to="/" className={buttonClassName({ variant: 'primary', ...style })}>
      {children}
    </Link>
  );
}
