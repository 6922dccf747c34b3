import { z } from 'zod';

const UNITS: Readonly<Record<string, string>> = { ms: 'ms', seconds: 's', bytes: 'bytes' };

/** A line of `printMeasurements` in plain words: `a race (libsql): tooLate 0, p99Ms 12` is `a race: too late 0, p99 12 ms`. */
export function inWords(line: string): string {
  const at = line.lastIndexOf(': ');
  const guarantee = line.slice(0, at).replace(/ \((libsql|mysql)\)$/, '');
  const figures = line
    .slice(at + 2)
    .split(/, (?=[a-zA-Z]\w* )/)
    .map((figure) => {
      const space = figure.indexOf(' ');
      return withUnit(figure.slice(0, space), figure.slice(space + 1));
    });
  return `${guarantee}: ${figures.join(', ')}`;
}

function withUnit(name: string, value: string): string {
  const words = name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());
  const unit = UNITS[words.at(-1) ?? ''];
  const shown = value.startsWith('{') ? `(${ofObject(value)})` : withCommas(value);
  if (unit === undefined) return `${words.join(' ')} ${shown}`;
  return [...words.slice(0, -1), shown, unit].join(' ');
}

function ofObject(value: string): string {
  return Object.entries(z.record(z.string(), z.unknown()).parse(JSON.parse(value)))
    .map(([name, inner]) => withUnit(name, typeof inner === 'string' ? inner : JSON.stringify(inner)))
    .join(', ');
}

function withCommas(value: string): string {
  return /^\d{4,}$/.test(value) ? Number(value).toLocaleString('en') : value;
}
