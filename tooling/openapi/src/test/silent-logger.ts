import type { createInstance } from '@stoplight/prism-http';

type Logger = NonNullable<Parameters<typeof createInstance>[1]['logger']>;

/** Prism logs its work. Its findings are returned as values, so nothing needs to be logged. */
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
