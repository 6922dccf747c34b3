import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { findFreePort } from './find-free-port.js';
import { PROMETHEUS_FOLDER } from './shown-queries.js';
import { createTestFolder } from './test-files.js';

/** A Prometheus with the shipped configuration and alerts. */
export interface RunningPrometheus extends AsyncDisposable {
  /** The names of the alerts that fire now. */
  firing(): Promise<string[]>;
  /** How many series a query has now. */
  count(query: string): Promise<number>;
}

const START_TIMEOUT_MS = 20_000;
const SCRAPE_EVERY = '2s';

const alerts = z.object({
  data: z.object({
    alerts: z.array(z.object({ labels: z.object({ alertname: z.string() }), state: z.string() })),
  }),
});
const answer = z.object({ data: z.object({ result: z.array(z.unknown()) }) });

/**
 * Starts Prometheus with derived copies of the files in `deploy/prometheus`: other targets, a scrape every two seconds, and each
 * minute of a rule in a number of seconds.
 * @param targets the nodes of each job of the shipped configuration
 * @throws Error with its output if it does not start within 20 seconds
 */
export async function startPrometheus(options: {
  targets: Readonly<Record<string, readonly string[]>>;
  metricsToken: string;
  secondsPerMinute: number;
}): Promise<RunningPrometheus> {
  const folder = await createTestFolder();
  const tokenFile = join(folder.path, 'token');
  await writeFile(tokenFile, options.metricsToken);
  await writeFile(join(folder.path, 'alerts.yml'), faster(shipped('alerts.yml'), options.secondsPerMinute));
  const file = join(folder.path, 'prometheus.yml');
  await writeFile(file, withTargets(shipped('prometheus.yml'), options.targets, tokenFile));
  const port = await findFreePort();
  const server = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder.path, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let log = '';
  server.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4_000);
  });
  const ended = once(server, 'exit');
  const killAtExit = (): void => void server.kill('SIGKILL');
  process.on('exit', killAtExit);
  server.once('exit', () => process.off('exit', killAtExit));
  const url = `http://127.0.0.1:${port}`;
  const givesUpAt = performance.now() + START_TIMEOUT_MS;
  while ((await fetch(`${url}/-/ready`).catch(() => undefined))?.ok !== true) {
    if (server.exitCode !== null || performance.now() > givesUpAt) {
      server.kill('SIGKILL');
      throw new Error(`Prometheus did not start:\n${log}`);
    }
    await pause(50);
  }
  return {
    async firing() {
      const told = alerts.parse(await (await fetch(`${url}/api/v1/alerts`)).json());
      const names = told.data.alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels }) => labels.alertname);
      return [...new Set(names)].toSorted();
    },
    async count(query) {
      const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query }).toString()}`);
      return answer.parse(await response.json()).data.result.length;
    },
    async [Symbol.asyncDispose]() {
      server.kill('SIGKILL');
      await ended;
      await folder[Symbol.asyncDispose]();
    },
  };
}

const shipped = (name: string): string => readFileSync(`${PROMETHEUS_FOLDER}${name}`, 'utf8');

/** Shortens the times of `for` and of ranges; thresholds are unchanged. */
function faster(rules: string, secondsPerMinute: number): string {
  const minutes: Readonly<Record<string, number>> = { m: 1, h: 60 };
  return rules.replace(
    /(\bfor: |\[)(\d+)([mh])\b/g,
    (_, before: string, count: string, unit: string) =>
      `${before}${Number(count) * (minutes[unit] ?? 1) * secondsPerMinute}s`,
  );
}

function withTargets(
  config: string,
  targets: Readonly<Record<string, readonly string[]>>,
  tokenFile: string,
): string {
  return config
    .replace(/^( {2}(?:scrape_interval|scrape_timeout|evaluation_interval): ).*$/gm, `$1${SCRAPE_EVERY}`)
    .replace(/credentials_file: .*/g, `credentials_file: ${tokenFile}`)
    .replace(
      /(job_name: (\S+)\n(?:(?! {2}- job_name)[^\n]*\n)*? +- targets: ).*/g,
      (_, before: string, job: string) => `${before}${JSON.stringify(targets[job] ?? [])}`,
    );
}
