/** Lets a procedure wake a job early when there is work. */
export interface Wakeups {
  wake(job: string): void;
  /** @returns a function that stops listening */
  onWake(job: string, listener: () => void): () => void;
}

export function createWakeups(): Wakeups {
  const listeners = new Map<string, Set<() => void>>();
  return {
    wake(job) {
      for (const listener of listeners.get(job) ?? []) listener();
    },
    onWake(job, listener) {
      const set = listeners.get(job) ?? new Set();
      listeners.set(job, set.add(listener));
      return () => set.delete(listener);
    },
  };
}
