/** Resolves when somebody ends the command, as Ctrl-C does. */
export function interrupted(): Promise<'interrupted'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve('interrupted');
      });
    }
  });
}
