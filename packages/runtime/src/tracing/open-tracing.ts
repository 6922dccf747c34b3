import type { Tracing } from './tracing.js';

export interface TracingConfig {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' | 'http/json';
  readonly OTEL_SDK_DISABLED: boolean;
  readonly OTEL_SERVICE_NAME?: string | undefined;
}

/**
 * Starts tracing when the standard variables name a collector; otherwise loads nothing. The OpenTelemetry
 * packages read their other variables (headers, sampler, batches, resource) themselves.
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
