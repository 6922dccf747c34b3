import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Tracing } from './tracing.js';

/**
 * Sends spans by OTLP over HTTP. Nothing is registered globally: a request's span is in our own async
 * storage, and no other library is instrumented.
 */
export function startTracing(options: {
  url: string;
  protocol: 'http/protobuf' | 'http/json';
  service: { name: string; version: string };
}): Tracing {
  const { url, service } = options;
  const exporter =
    options.protocol === 'http/json' ? new JsonExporter({ url }) : new ProtobufExporter({ url });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': service.name,
      'service.version': service.version,
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer: Tracer = provider.getTracer('gatehouse');
  const current = new AsyncLocalStorage<Span>();

  return {
    begin({ method, traceparent }) {
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
        callersContext(traceparent),
      );
      return {
        run: (handle) => current.run(span, handle),
        end({ route, status, requestId }) {
          span.updateName(`${method} ${route}`);
          span.setAttributes({
            'http.route': route,
            'http.response.status_code': status,
            'gatehouse.request_id': requestId,
          });
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    async span(name, attributes, work) {
      const parent = current.getStore();
      const context = parent === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, parent);
      const span = tracer.startSpan(name, { attributes: { ...attributes } }, context);
      try {
        return await current.run(span, work);
      } catch (error) {
        // Only the name, because a message may quote input.
        span.setAttribute('error.type', error instanceof Error ? error.name : typeof error);
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    async close() {
      await provider.shutdown().catch(() => undefined);
    },
  };
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/** The caller's span in W3C Trace Context, level 1. A malformed header is ignored. */
function callersContext(traceparent: string | undefined): Context {
  const [, traceId = '', spanId = '', flags = '0'] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  const isValid = isSpanContextValid(spanContext) && !traceparent?.startsWith('ff');
  return isValid ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT;
}
