// Whether the process answers, not whether its database does: a service whose database is down answers 503 and recovers by
// itself, so ending it would help nobody.
const [, , port] = process.argv;
const response = await fetch(`http://127.0.0.1:${port}/healthz`, {
  signal: AbortSignal.timeout(2_000),
});
process.exitCode = response.ok ? 0 : 1;
