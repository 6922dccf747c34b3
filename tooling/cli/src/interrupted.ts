const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Resolves when somebody ends the command, such as with Ctrl-C. A second signal ends the process. */
export function interrupted(): Promise<'interrupted'> {
  return new Promise((resolve) => {
    const stop = () => {
      for (const signal of SIGNALS) process.removeListener(signal, stop);
      resolve('interrupted');
    };
    for (const signal of SIGNALS) process.once(signal, stop);
  });
}
