import type { createInstance } from '@stoplight/prism-http';

type Logger = NonNullable<Parameters<typeof createInstance>[1]['logger']>;

/** Prism says aloud what it does; what it finds comes back as a value, so nothing needs to be said. */
export function silentLogger(): Logger {
  const nothing = () => undefined;
  const logger = {
    info: nothing,
    warn: nothing,
    error: nothing,
    debug: nothing,
    trace: nothing,
    fatal: nothing,
    success: nothing,
    child: () => logger,
  };
  return logger as unknown as Logger;
}
