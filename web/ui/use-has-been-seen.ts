import { useEffect, useState, type RefObject } from 'react';

/** Whether the element has been in view at least once. */
export function useHasBeenSeen(ref: RefObject<Element | null>): boolean {
  const [hasBeenSeen, setHasBeenSeen] = useState(false);
  useEffect(() => {
    if (ref.current === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      setHasBeenSeen(true);
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, [ref]);
  return hasBeenSeen;
}
