import DataLoader from 'dataloader';
import { SECOND_MS, SHOWN_PRICE_WINDOW_MS } from '#schema/constants.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Lifetime } from '../../ports/lifetime.ts';

/** For so long questions are gathered into one batch. */
const GATHER_MS = 5;
/** How long somebody waits for an answer that another request fetches: longer than two sources may take one after the other. */
const PATIENCE_MS = 12 * SECOND_MS;
const MAX_REMEMBERED = 2_000;

export interface BatchedCacheOptions<Answer> {
  /** Answers for up to `batchSize` keys at once, by key; what has no answer is left out. */
  readonly ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, Answer>>;
  readonly batchSize: number;
  readonly clock: Clock;
  readonly lifetime: Lifetime;
}

/** Asked in a window of time for all who want it. */
interface Question<Answer> {
  readonly window: number;
  readonly answer: Promise<Answer | undefined>;
}

/**
 * Answers for people to look at, each asked once in a window of five seconds however many want it, and together with those
 * that are asked at the same moment. What one request began another may wait for (docs/decisions/022-price-sources.md).
 */
export function createBatchedCache<Answer>({ ask, batchSize, clock, lifetime }: BatchedCacheOptions<Answer>) {
  const remembered = new Map<string, { window: number; answer: Answer | undefined }>();
  const underWay = new Map<string, Question<Answer>>();
  const gathered: (() => void)[] = [];

  const loader = new DataLoader<string, Answer | undefined>(
    (keys) => {
      const asked = ask(keys).then((answers) => keys.map((key) => answers.get(key)));
      lifetime.keepAlive(asked);
      return asked;
    },
    { cache: false, maxBatchSize: batchSize, batchScheduleFn: (dispatch) => void gathered.push(dispatch) },
  );
  const dispatchGathered = () => {
    for (const dispatch of gathered.splice(0)) dispatch();
  };

  const windowStart = () => Math.floor(clock.now() / SHOWN_PRICE_WINDOW_MS) * SHOWN_PRICE_WINDOW_MS;

  const keep = async (key: string, question: Question<Answer>) => {
    try {
      const answer = await question.answer;
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(key, { window: question.window, answer });
    } catch {
      // Those who wait for it see it fail; nobody after them does.
    }
    forget(key, question);
  };

  const forget = (key: string, question: Question<Answer>) => {
    if (underWay.get(key) === question) underWay.delete(key);
  };

  const begin = (key: string, window: number): Question<Answer> => {
    const question: Question<Answer> = { window, answer: loader.load(key) };
    underWay.set(key, question);
    void keep(key, question);
    return question;
  };

  /** What was asked, unless nobody answers in time: whoever was asking may be gone, and the promise with them. */
  const wait = async ({ answer }: Question<Answer>): Promise<{ answer: Answer | undefined } | 'late'> => {
    // Each who waits sees to it that the batch is sent: the timer of who began it may be gone.
    const cancelDispatch = lifetime.after(GATHER_MS, dispatchGathered);
    const late = Promise.withResolvers<'late'>();
    const cancelPatience = lifetime.after(PATIENCE_MS, () => late.resolve('late'));
    try {
      return await Promise.race([answer.then((value) => ({ answer: value })), late.promise]);
    } finally {
      cancelDispatch();
      cancelPatience();
    }
  };

  return {
    /** When what is answered now was asked at the earliest, unix ms: the same for every key, whoever asked for it before. */
    windowStart,

    /** The answer for a key, at most a window old; `undefined` where there is none. @throws what `ask` throws */
    async get(key: string): Promise<Answer | undefined> {
      const window = windowStart();
      const known = remembered.get(key);
      if (known?.window === window) return known.answer;
      const running = underWay.get(key);
      const question = running?.window === window ? running : begin(key, window);
      const outcome = await wait(question);
      if (outcome !== 'late') return outcome.answer;
      forget(key, question);
      const again = underWay.get(key) ?? begin(key, window);
      const second = await wait(again);
      return second === 'late' ? (await ask([key])).get(key) : second.answer;
    },
  };
}
