import { useEffect, useRef, useState } from 'react';

/** True once the element comes within this margin of the window, so that its code and data load only then. */
export function useIsNear<Target extends Element>(rootMargin = '100px') {
  const ref = useRef<Target>(null);
  const [isNear, setIsNear] = useState(false);
  useEffect(() => {
    const target = ref.current;
    if (target === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        setIsNear(true);
        observer.disconnect();
      },
      { rootMargin },
    );
    observer.observe(target);
    return () => observer.disconnect();
  }, [rootMargin]);
  return { ref, isNear };
}
