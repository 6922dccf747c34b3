import type { LogDestination } from './log.js';

type Line = Readonly<Record<string, unknown>>;

/**
 * Turns a logger's JSON lines into readable ones for a developer at a terminal: the time, the service, and for a
 * request its method, path, status and duration.
 */
export function readableLines(write: (text: string) => void): LogDestination {
  return {
    write(json) {
      const line = lineOf(JSON.parse(json));
      const time = String(line['time']).slice(11, 19);
      write(`${time} ${String(line['service']).padEnd(10)} ${textOf(line)}\n`);
    },
  };
}

function lineOf(parsed: unknown): Line {
  return Object.fromEntries(Object.entries(parsed ?? {}));
}

function textOf(line: Line): string {
  if (line['event'] === 'request') return request(line);
  if (line['event'] === 'cors.refused') {
    return `The page at ${String(line['origin'])} may not call: name it in ${String(line['variable'])}.`;
  }
  const { level: _level, time: _time, service: _service, event, frames, ...facts } = line;
  const stack = Array.isArray(frames) ? frames.map((frame) => `\n  ${String(frame)}`).join('') : '';
  return `${[String(event), ...told(facts)].join(' ')}${stack}`;
}

function request(line: Line): string {
  const { method, route, status, durationMs, memberId, accountId } = line;
  return [method, route, status, `${String(durationMs)} ms`, ...told({ memberId, accountId })]
    .map(String)
    .join(' ');
}

function told(facts: Line): string[] {
  return Object.entries(facts).flatMap(([name, value]) =>
    value === undefined || value === null
      ? []
      : [`${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`],
  );
}
