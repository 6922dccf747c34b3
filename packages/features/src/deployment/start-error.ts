/** A problem that prevents the start and that only the operator can fix, in one sentence. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/** The sentence for an error of `listen`; undefined for other errors. */
export function explainListen(
  error: unknown,
  { name, host, port, variables }: { name: string; host: string; port: number; variables: [string, string] },
): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const [portVariable, hostVariable] = variables;
  switch (code) {
    case 'EADDRINUSE':
      return `${name} cannot have port ${port} at ${host}: something listens there. Stop it, or set ${portVariable}.`;
    case 'EACCES':
      return `${name} may not listen on port ${port}: set ${portVariable} to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${name} cannot listen at ${host}: it is no address of this machine. Correct ${hostVariable}.`;
    default:
      return undefined;
  }
}
