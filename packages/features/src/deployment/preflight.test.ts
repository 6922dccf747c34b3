import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp as createMainApp } from '@gatehouse/api-main/app';
import { startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const PAGE = 'https://shop.example.test';
const COOKIE_PAGE = 'https://app.example.test';
const env = { CORS_ORIGINS: PAGE, COOKIE_ORIGINS: COOKIE_PAGE };

/** The headers that each library adds to every call of a page, in the spelling of browsers' preflights. */
const LIBRARIES = [
  ['OpenTelemetry', 'baggage,traceparent,tracestate'],
  ['Zipkin', 'x-b3-flags,x-b3-parentspanid,x-b3-sampled,x-b3-spanid,x-b3-traceid'],
  ['Sentry', 'baggage,sentry-trace'],
  [
    'Datadog',
    'traceparent,x-datadog-origin,x-datadog-parent-id,x-datadog-sampling-priority,x-datadog-trace-id',
  ],
  ['New Relic', 'newrelic,traceparent,tracestate'],
  ['Application Insights', 'request-context,request-id,traceparent'],
  ['Elastic APM', 'elastic-apm-traceparent,traceparent,tracestate'],
  ['AWS X-Ray', 'x-amzn-trace-id'],
  ['Google Cloud', 'x-cloud-trace-context'],
  ['Jaeger', 'uber-trace-id'],
  ['Instana', 'x-instana-l,x-instana-s,x-instana-t'],
  ['Dynatrace', 'x-dtc,x-dtpc,x-dtreferer'],
  ['OpenTracing', 'ot-tracer-sampled,ot-tracer-spanid,ot-tracer-traceid'],
  ['SkyWalking', 'sw8'],
  ['Honeycomb', 'x-honeycomb-trace'],
] as const;

/** Whether a browser would send the call of a page after this preflight. */
async function maySend(url: string, origin: string, names: string): Promise<boolean> {
  const response = await fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': `content-type,${names}`,
    },
  });
  const allowed = (response.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/, ?/);
  const isOrigin = response.headers.get('access-control-allow-origin') === origin;
  return response.ok && isOrigin && names.split(',').every((name) => allowed.includes(name));
}

describe.each([
  ['the main service', 'web', createMainApp],
  ['the service of staff', 'admin', createAdminApp],
] as const)('%s', (_name, application, createApp) => {
  it('allows the pages of this installation to call it with the tracing library that they use', async () => {
    await using service = await startService(createApp, { dialect, application, env });
    for (const path of ['/v1/signIn/password', '/trpc/signIn.password', '/healthz', '/no/such/path'])
      for (const origin of [PAGE, COOKIE_PAGE])
        for (const [library, names] of LIBRARIES)
          expect([path, origin, library, await maySend(`${service.url}${path}`, origin, names)]).toEqual([
            path,
            origin,
            library,
            true,
          ]);
    const answer = maySend(`${service.url}/v1/signIn/password`, 'https://evil.test', 'traceparent');
    expect(await answer).toBe(false);
  });

  it('allows pages without cookies neither the header for cookies nor those of trusted proxies', async () => {
    await using service = await startService(createApp, { dialect, application, env });
    const url = `${service.url}/v1/signIn/password`;
    for (const name of ['x-gatehouse-client', 'x-forwarded-for', 'cookie', 'host', '*'])
      expect([name, await maySend(url, PAGE, name)]).toEqual([name, false]);
    expect(await maySend(url, COOKIE_PAGE, 'x-gatehouse-client')).toBe(true);
  });
});
