import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blockOf } from '../block-of.js';
import { dashboardQueries, PROMETHEUS_FOLDER, readAlertRules } from '../shown-queries.js';
import { createTestFolder } from '../test-files.js';

function promtool(args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, {
    cwd: PROMETHEUS_FOLDER,
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
}

function inRepository(commands: string): { status: number | null; output: string } {
  const cwd = join(PROMETHEUS_FOLDER, '../..');
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-eu', '-c', commands], {
    cwd,
    encoding: 'utf8',
  });
  return { status, output: `${stdout}${stderr}` };
}

describe('the files for Prometheus', () => {
  it('are accepted by its own tool, which finds as many alerts as the tests do', () => {
    expect(promtool(['check', 'config', '--syntax-only', 'prometheus.yml'])).toMatchObject({ status: 0 });
    const rules = promtool(['check', 'rules', '--lint-fatal', 'alerts.yml']);
    expect(rules).toMatchObject({ status: 0 });
    expect(rules.output).toContain(`${readAlertRules().length} rules found`);
  });

  it('come with jobs for Kubernetes that the tool accepts, and that alerts and dashboard name', async () => {
    await using folder = await createTestFolder();
    const config = blockOf('docs/kubernetes.md', 'scrape_configs:');
    const file = join(folder.path, 'prometheus.yml');
    // Debian builds it without Kubernetes, so all but the discovery is checked.
    const discovery = /kubernetes_sd_configs: (?:\*pods|&pods\n(?: {6}.*\n)+?(?= {4}\w))/g;
    writeFileSync(file, config.replace(discovery, 'static_configs: []\n'));
    expect(promtool(['check', 'config', '--syntax-only', file])).toMatchObject({ status: 0 });
    const jobsIn = (text: string) => [...text.matchAll(/job_name: (\S+)/g)].map(([, name]) => name);
    const shipped = jobsIn(readFileSync(join(PROMETHEUS_FOLDER, 'prometheus.yml'), 'utf8'));
    expect(jobsIn(config)).toEqual(shipped.filter((name) => name !== 'gatehouse-haproxy'));
  });

  it('fire each alert for its fault after the stated time, and no alert before it', () => {
    const told = inRepository(blockOf('docs/operations.md', 'promtool test rules'));
    expect(told).toMatchObject({ status: 0 });
    const text = readFileSync(join(PROMETHEUS_FOLDER, 'alerts.test.yml'), 'utf8');
    const tested = [...text.matchAll(/^ {2}- name: (\w+)$/gm)].map(([, name]) => name);
    expect(tested).toEqual(readAlertRules().map(({ name }) => name));
  });

  it('parse every query of the dashboard', async () => {
    await using folder = await createTestFolder();
    const file = join(folder.path, 'queries.yml');
    const rules = dashboardQueries('1m').map((expr, index) => ({ record: `query:${index}`, expr }));
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const checked = promtool(['check', 'rules', file]);
    expect(checked).toMatchObject({ status: 0 });
    expect(checked.output).toContain(`${rules.length} rules found`);
  });
});
