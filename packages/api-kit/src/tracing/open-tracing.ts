import type { KitConfig } from '../config.js';
import type { Tracing } from './tracing.js';

export type TracingConfig = Pick<
  KitConfig,
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_PROTOCOL'
  | 'OTEL_SDK_DISABLED'
  | 'OTEL_SERVICE_NAME'
>;

/**
 * Starts sending traces where the standard variables name a collector; nothing is loaded otherwise. The packages of
 * OpenTelemetry read the rest of their variables (headers, sampler, batches, resource) themselves.
 */
export async function openTracing(
  config: TracingConfig,
  service: { name: string; version: string },
): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = config;
  const url = own ?? (base === undefined ? undefined : `${base}/v1/traces`);
  if (url === undefined || config.OTEL_SDK_DISABLED) return undefined;
  const { startTracing } = await import('./start-tracing.js');
  return startTracing({
    url,
    protocol: config.OTEL_EXPORTER_OTLP_PROTOCOL,
    service: { ...service, name: config.OTEL_SERVICE_NAME ?? service.name },
  });
}
