// Whether the process answers. Not whether its database does: a service whose database is away answers 503 by itself
// and recovers by itself, and to end it would help nobody.
const [, , port] = process.argv;
const response = await fetch(`http://127.0.0.1:${port}/healthz`, {
  signal: AbortSignal.timeout(2_000),
});
process.exitCode = response.ok ? 0 : 1;
