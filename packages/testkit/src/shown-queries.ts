import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The folder with the rules for Prometheus and their tests. */
export const PROMETHEUS_FOLDER = fileURLToPath(new URL('../../../deploy/prometheus/', import.meta.url));
const DASHBOARD = new URL('../../../deploy/grafana/gatehouse.json', import.meta.url);

export interface AlertRule {
  readonly name: string;
  readonly expr: string;
}

/** The alerts, in the order of the file. Their expressions are one line each. */
export function readAlertRules(): AlertRule[] {
  const text = readFileSync(`${PROMETHEUS_FOLDER}alerts.yml`, 'utf8');
  return [...text.matchAll(/^ {6}- alert: (\w+)\n {8}expr: (.+)$/gm)].map(([, name = '', expr = '']) => ({
    name,
    expr,
  }));
}

const place = z.object({ h: z.number(), w: z.number(), x: z.number(), y: z.number() });
const panel = z.object({
  id: z.int(),
  type: z.enum(['row', 'stat', 'timeseries']),
  title: z.string().min(1),
  description: z.string().optional(),
  gridPos: place,
  targets: z.array(z.object({ refId: z.string(), expr: z.string().min(1) })).default([]),
});
const dashboard = z.object({ uid: z.string(), title: z.string(), panels: z.array(panel) });

/** The parts of the dashboard that the tests read; other fields of Grafana are dropped. */
export function readDashboard(): z.infer<typeof dashboard> {
  return dashboard.parse(JSON.parse(readFileSync(DASHBOARD, 'utf8')));
}

/** What Grafana would ask Prometheus for all nodes, with the given interval where it works one out. */
export function dashboardQueries(interval: string): string[] {
  return readDashboard().panels.flatMap(({ targets }) =>
    targets.map(({ expr }) =>
      expr
        .replaceAll('$__rate_interval', interval)
        .replaceAll('"$job"', '"gatehouse-api-.*"')
        .replaceAll('"$instance"', '".*"'),
    ),
  );
}
