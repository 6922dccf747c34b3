/** Counts the users of a connection, so that closing can wait for them. */
export interface Borrowers {
  /** Returns a function to call at the end of the use. */
  enter(): () => void;
  /** Resolves when there are no users left. */
  gone(): Promise<void>;
}

/** There are no users yet. */
export function createBorrowers(): Borrowers {
  let present = 0;
  let whenGone: (() => void)[] = [];
  return {
    enter() {
      present += 1;
      return () => {
        present -= 1;
        if (present > 0) return;
        for (const resolve of whenGone) resolve();
        whenGone = [];
      };
    },
    gone: () => (present === 0 ? Promise.resolve() : new Promise((resolve) => whenGone.push(resolve))),
  };
}
