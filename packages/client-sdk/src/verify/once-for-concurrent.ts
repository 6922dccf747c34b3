/**
 * Calls a function once for all callers that wait with one key. A caller that arrives while it runs waits for the next run, because
 * a run that began earlier may have missed what happened in between.
 */
export function onceForConcurrent<Value>(
  run: (key: string) => Promise<Value>,
): (key: string) => Promise<Value> {
  const running = new Map<string, Promise<Value>>();
  const waiting = new Map<string, Promise<Value>>();

  async function runAfter(key: string): Promise<Value> {
    await running.get(key)?.catch(() => undefined);
    waiting.delete(key);
    const current = run(key);
    running.set(key, current);
    try {
      return await current;
    } finally {
      if (running.get(key) === current) running.delete(key);
    }
  }

  return (key) => {
    const next = waiting.get(key) ?? runAfter(key);
    waiting.set(key, next);
    return next;
  };
}
