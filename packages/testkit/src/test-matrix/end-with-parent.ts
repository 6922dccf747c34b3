import type { Reporter } from 'vitest/reporters';

/** Ends a run of vitest, with its workers and servers, when the tool that started it has died. */
export const endWithParent: Reporter = {
  onInit() {
    if (process.channel === undefined) return;
    process.once('disconnect', () => {
      try {
        process.kill(-process.pid, 'SIGKILL');
      } catch {
        process.exit(1);
      }
    });
    process.channel.unref();
  },
};
