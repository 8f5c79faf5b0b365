import { SECOND_MS } from '#schema/constants.ts';
import { nextTask } from './next-task.ts';

/** Longer than hydration takes on a slow phone. */
const TIMEOUT_MS = 5 * SECOND_MS;

/** A part of the page that is hydrated after the parts before it. */
export interface Turn {
  /** Until then, React doesn't hydrate the part. */
  readonly opened: Promise<void>;
  readonly open: () => void;
  readonly finished: Promise<void>;
  readonly finish: () => void;
}

interface Hydration {
  /** By the id of the component, because React may render it several times before it's hydrated. */
  readonly turns: Map<string, Turn>;
  isHurried: boolean;
  finish: () => void;
}

let hydration: Hydration | null = null;

/**
 * Resolves when React has hydrated the page, with all its parts. Until then, no query may change: React hydrates the page
 * after the layout around it, and then expects what the server rendered.
 */
export function startPageHydration(): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      hurryHydration();
      hydration = null;
      for (const type of ACTIONS) window.removeEventListener(type, hurryHydration, true);
      clearTimeout(timeout);
      resolve();
    };
    const timeout = setTimeout(finish, TIMEOUT_MS);
    hydration = { turns: new Map(), isHurried: false, finish };
    for (const type of ACTIONS) window.addEventListener(type, hurryHydration, true);
  });
}

/** React hydrates the part under a click before it handles the click. */
const ACTIONS = ['pointerdown', 'click', 'keydown', 'focusin', 'input'] as const;

/** Lets React hydrate all parts at once, because the user has begun to use the page. */
export function hurryHydration(): void {
  if (hydration === null) return;
  hydration.isHurried = true;
  for (const turn of hydration.turns.values()) turn.open();
}

/** The turn of a part of the server's HTML. Null if the page isn't being hydrated. */
export function turnOf(id: string): Turn | null {
  if (hydration === null) return null;
  const turn = hydration.turns.get(id) ?? createTurn();
  if (hydration.isHurried) turn.open();
  hydration.turns.set(id, turn);
  return turn;
}

/** Call it when the page is hydrated except for its parts. Hydrates them one by one, each in a task of its own. */
export async function hydrateParts(): Promise<void> {
  const current = hydration;
  if (current === null) return;
  for (const turn of current.turns.values()) {
    // oxlint-disable-next-line no-await-in-loop -- One after the other, so that no task becomes long.
    await nextTask();
    turn.open();
    // oxlint-disable-next-line no-await-in-loop
    await turn.finished;
  }
  current.finish();
}

function createTurn(): Turn {
  const opening = Promise.withResolvers<void>();
  // React reads the status, so that it can go on at once.
  const opened: Promise<void> & { status?: 'fulfilled'; value?: undefined } = opening.promise;
  const finishing = Promise.withResolvers<void>();
  const turn: Turn = {
    opened,
    open() {
      opened.status = 'fulfilled';
      opening.resolve();
    },
    finished: finishing.promise,
    finish: finishing.resolve,
  };
  return turn;
}
